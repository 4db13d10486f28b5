import type { KnownBlock } from '@slack/types';
import { DataVisualization } from '../charts/data-visualization.js';
import { DataTable } from '../tables/data-table.js';
import { Table } from '../tables/table.js';
import { MarkdownText } from '../text/markdown-text.js';
import { PlainText } from '../text/plain-text.js';
import { RichText } from '../text/rich-text.js';
import { Alert } from './alert.js';
import { BlockBoundary } from './block-boundary.js';
import { Card, Carousel } from './card.js';
import { Container } from './container.js';
import { Actions, Context, ContextActions } from './context.js';
import { ImageBlockView } from './image.js';
import { Input } from './input.js';
import type { PageBlock } from './page-block.js';
import { Section } from './section.js';
import { Unknown } from './unknown.js';

/** Blocks, one below the other, on the surface around them. */
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
      return <Unknown kind={block.type} />;
  }
}
