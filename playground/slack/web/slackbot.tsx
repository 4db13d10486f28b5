import { useEffect, useMemo, useState } from 'react';
import type { JsonObject, SlackBlock } from '../server/page-protocol.js';
import { BlockList } from './blocks/block-list.js';
import { pageBlocks } from './blocks/page-block.js';
import { type SurfaceControls, SurfaceProvider } from './blocks/surface.js';
import { useConnection, useWorkspace } from './connection/connection.js';

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly _meta?: { readonly slack?: { readonly blocks?: readonly SlackBlock[] } };
}

interface Call {
  readonly tool: string;
  readonly input: JsonObject;
}

const firstQuestion = 'how many people were active last week by department';

/**
 * Plays Slackbot: it lists the tools of the app, asks whether it may call one, and shows what the tool answers. A person
 * writes the arguments, where Slackbot has a model for that.
 */
export function Slackbot({ inert }: { inert: boolean }) {
  const { me, users } = useWorkspace();
  const connection = useConnection();
  const [tools, setTools] = useState<readonly Tool[]>([]);
  const [name, setName] = useState('ask');
  const [question, setQuestion] = useState(firstQuestion);
  const [asking, setAsking] = useState<Call>();
  const [isRunning, setRunning] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isUnmounted = false;
    void connection.send({ type: 'assistant', method: 'tools/list', params: {} }).then((result) => {
      if (isUnmounted) return;
      setProblem(result.problem);
      setTools((result.answer?.tools ?? []) as unknown as readonly Tool[]);
    });
    return () => {
      isUnmounted = true;
    };
  }, [connection]);
  const tool = tools.find((one) => one.name === name);
  const takes = Object.keys(tool?.inputSchema.properties ?? {});
  const argument = ['question', 'report'].find((one) => takes.includes(one));
  const input: JsonObject = argument === undefined || question === '' ? {} : { [argument]: question };

  async function call({ tool: called, input: args }: Call) {
    setAsking(undefined);
    setRunning(true);
    const params = { name: called, arguments: args };
    const result = await connection.send({ type: 'assistant', method: 'tools/call', params });
    setRunning(false);
    setProblem(result.problem);
    setAnswer(result.answer as unknown as Answer | undefined);
  }

  const blocks = answer?._meta?.slack?.blocks;
  return (
    <main className="conversation" aria-label="Slackbot" inert={inert}>
      <header className="conversation-head">
        <h2 className="conversation-title">Slackbot</h2>
      </header>
      <div className="slackbot">
        <p className="slackbot-note">
          Slackbot calls the tools of Rollcall for {users.get(me)?.name ?? 'you'}, and signs each call as
          Slack does. In Slack, a model chooses the tool and writes its argument. Here you do.
        </p>
        <form
          className="slackbot-form"
          onSubmit={(event) => {
            event.preventDefault();
            setAsking({ tool: name, input });
          }}
        >
          <label className="slackbot-field">
            <span className="slackbot-label">Tool</span>
            <select
              className="slackbot-input"
              aria-label="Tool"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setQuestion('');
              }}
            >
              {tools.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}: {one.title}
                </option>
              ))}
            </select>
          </label>
          {argument ? (
            <label className="slackbot-field">
              <span className="slackbot-label">{argument === 'question' ? 'Question' : 'Report'}</span>
              <input
                className="slackbot-input"
                value={question}
                placeholder={argument === 'question' ? 'overdue by:departments' : 'tracks'}
                onChange={(event) => setQuestion(event.target.value)}
              />
            </label>
          ) : null}
          <button type="submit" className="button button-primary" disabled={!tool || isRunning}>
            Call
          </button>
        </form>
        {asking ? (
          <section className="slackbot-ask" aria-label="Permission">
            <p>
              <strong>Rollcall</strong> wants to use <code>{asking.tool}</code>
              {tools.find((one) => one.name === asking.tool)?.annotations?.readOnlyHint
                ? ', which only reads'
                : ', which sends'}
              : <code>{JSON.stringify(asking.input)}</code>
            </p>
            <button type="button" className="button button-primary" onClick={() => void call(asking)}>
              Allow once
            </button>{' '}
            <button type="button" className="button" onClick={() => setAsking(undefined)}>
              Deny
            </button>
          </section>
        ) : null}
        {tool ? (
          <details>
            <summary>How Rollcall describes this tool to the model</summary>
            <p className="slackbot-note">{tool.description}</p>
          </details>
        ) : null}
        {isRunning ? <p role="status">Calling {name}…</p> : null}
        {problem ? <p role="alert">{problem}</p> : null}
        {answer ? (
          <section className="slackbot-answer" aria-label="Answer">
            {blocks ? <AnswerBlocks blocks={blocks} press={setAsking} /> : null}
            <details open={!blocks}>
              <summary>What the model reads</summary>
              <pre className="slackbot-text">{answer.content.map(({ text }) => text).join('\n')}</pre>
            </details>
          </section>
        ) : null}
      </div>
    </main>
  );
}

/** The blocks of an answer. A press of a button asks for the tool that the button names. */
function AnswerBlocks({ blocks, press }: { blocks: readonly SlackBlock[]; press(call: Call): void }) {
  const shown = useMemo(
    () => pageBlocks(blocks.map((block, index) => ({ block_id: `block-${index}`, ...block }))),
    [blocks],
  );
  const controls = useMemo<SurfaceControls>(
    () => ({
      values: {},
      errors: {},
      setValue: () => {},
      async dispatch(blockId, actionId) {
        const block = shown.find((one) => 'block_id' in one && one.block_id === blockId);
        const value = buttonValueIn(block, actionId);
        if (value !== undefined && actionId.startsWith('tool:'))
          press({ tool: actionId.slice('tool:'.length), input: JSON.parse(value) });
      },
      suggest: async () => ({ options: [] }) as never,
    }),
    [shown, press],
  );
  return (
    <SurfaceProvider value={controls}>
      <div className="blocks">
        <BlockList blocks={shown} />
      </div>
    </SurfaceProvider>
  );
}

function buttonValueIn(block: unknown, actionId: string): string | undefined {
  const { elements = [], accessory } = (block ?? {}) as {
    elements?: readonly { action_id?: string; value?: string }[];
    accessory?: { action_id?: string; value?: string };
  };
  return [...elements, ...(accessory ? [accessory] : [])].find((one) => one.action_id === actionId)?.value;
}
