import type { CardBlock, CarouselBlock, ContainerBlock, KnownBlock } from '@slack/types';
import { Component, type ReactNode, useId, useState } from 'react';
import { DataVisualization } from '../charts/data-visualization.js';
import { ButtonElement } from '../elements/buttons.js';
import { DataTable, Table } from '../tables/tables.js';
import { RichText } from '../text/rich-text.js';
import { MarkdownText, PlainText, SlackText } from '../text/text.js';
import {
  Actions,
  Alert,
  Context,
  ContextActions,
  ImageBlockView,
  ImageElementView,
  Input,
  Section,
  UnsupportedBlock,
} from './blocks.js';
import type { PageBlock } from './page-block.js';

/** A list of blocks. */
export function BlockList({ blocks }: { blocks: readonly PageBlock[] }) {
  return blocks.map((block, index) => (
    <BlockBoundary key={block.block_id ?? `${index}`} kind={block.type}>
      <Block block={block} />
    </BlockBoundary>
  ));
}

function Block({ block }: { block: PageBlock }) {
  switch (block.type) {
    case 'header':
      return (
        <h3 className="header">
          <PlainText of={block.text} />
        </h3>
      );
    case 'section':
      return <Section block={block} />;
    case 'context':
      return <Context block={block} />;
    case 'divider':
      return <hr className="divider" />;
    case 'actions':
      return <Actions block={block} />;
    case 'context_actions':
      return <ContextActions block={block} />;
    case 'image':
      return <ImageBlockView block={block} />;
    case 'input':
      return <Input block={block} />;
    case 'rich_text':
      return <RichText block={block} />;
    case 'markdown':
      return <MarkdownText text={block.text} />;
    case 'table':
      return <Table block={block} />;
    case 'data_table':
      return <DataTable block={block} />;
    case 'data_visualization':
      return <DataVisualization block={block} />;
    case 'container':
      return (
        <Container block={block}>
          <BlockList blocks={block.child_blocks as readonly KnownBlock[]} />
        </Container>
      );
    case 'card':
      return <Card block={block} />;
    case 'carousel':
      return <Carousel block={block} />;
    case 'alert':
      return <Alert block={block} />;
    default:
      return <UnsupportedBlock kind={block.type} />;
  }
}

/** A titled container of blocks, collapsible if the bot allows it. */
function Container({ block, children }: { block: ContainerBlock; children: ReactNode }) {
  const [folded, setFolded] = useState(block.is_collapsible === true && block.default_collapsed === true);
  const title = useId();
  const body = useId();
  const heading = (
    <>
      {block.icon ? <ImageElementView element={block.icon} className="container-icon" /> : null}
      <span className="container-titles">
        <span className="container-title" id={title}>
          {block.rich_text_title ? <RichText block={block.rich_text_title} /> : null}
          {block.title ? <PlainText of={block.title} /> : null}
        </span>
        {block.subtitle ? (
          <span className="container-subtitle">
            <SlackText of={block.subtitle} />
          </span>
        ) : null}
      </span>
    </>
  );
  const divided = block.has_header_divider && !folded ? ' container-divided' : '';
  return (
    <section className={`container container-${block.width ?? 'standard'}`} aria-labelledby={title}>
      {block.is_collapsible ? (
        <button
          type="button"
          className={`container-head container-toggle${divided}`}
          aria-expanded={!folded}
          aria-controls={body}
          onClick={() => setFolded(!folded)}
        >
          <svg className="container-arrow" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M4.5 2.5 L8 6 L4.5 9.5" />
          </svg>
          {heading}
        </button>
      ) : (
        <div className={`container-head${divided}`}>{heading}</div>
      )}
      <div id={body} className="container-body" hidden={folded}>
        {children}
      </div>
    </section>
  );
}

function Card({ block }: { block: CardBlock }) {
  return (
    <div className="card">
      {block.hero_image ? <ImageElementView element={block.hero_image} className="card-hero" /> : null}
      <div className="card-head">
        {block.icon ? <ImageElementView element={block.icon} className="card-icon" /> : null}
        <div>
          {block.title ? (
            <div className="card-title">
              <SlackText of={block.title} />
            </div>
          ) : null}
          {block.subtitle ? (
            <div className="card-subtitle">
              <SlackText of={block.subtitle} />
            </div>
          ) : null}
        </div>
      </div>
      {block.body ? (
        <div className="card-body">
          <SlackText of={block.body} />
        </div>
      ) : null}
      {block.actions ? (
        <div className="actions">
          {block.actions.map((button, index) => (
            <ButtonElement
              key={button.action_id ?? `${index}`}
              element={button}
              context={{ blockId: block.block_id ?? '', dispatches: true }}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

function Carousel({ block }: { block: CarouselBlock }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a row of cards scrolls sideways, by keyboard too.
    <section className="carousel" aria-label="Cards" tabIndex={0}>
      {block.elements.map((card, index) => (
        <Card key={card.block_id ?? `${index}`} block={card} />
      ))}
    </section>
  );
}

interface BlockBoundaryProps {
  kind: string;
  children: ReactNode;
}

/** Shows a note for a block that fails to render, and keeps the rest of the message. */
class BlockBoundary extends Component<BlockBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="unknown" role="note">
        This <code>{this.props.kind}</code> block could not be rendered.
      </div>
    );
  }
}
