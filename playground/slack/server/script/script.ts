import { readFile } from 'node:fs/promises';
import type { Stage } from '../people/stage.js';
import type { Post, View } from '../workspace/records.js';
import { type Actor, createActor } from './actor.js';
import { channelNamed, personCalled } from './names.js';
import { type SeenMessage, seenMessage } from './seen-message.js';

/** Finds a message: a test of it, or text that it says anywhere. */
export type Wanted = string | RegExp | ((message: SeenMessage) => boolean);

/** How tests act in the workspace and look at it. Channels are named `#learning`, by identifier, or `@ada` for her direct message with the bot. */
export interface Script {
  /** Acts as a person, named by handle or identifier. */
  as(person: string): Actor;
  /** Resolves when the bot has that many Socket Mode connections. */
  waitForBot(connections?: number, timeoutMs?: number): Promise<void>;
  /** The first message of a channel, old or new, that is wanted; ephemeral ones and replies too. Rejects after the time-out. */
  waitForMessage(channel: string, wanted: Wanted, timeoutMs?: number): Promise<SeenMessage>;
  /** Looks again whenever something has happened, until there is a value. */
  waitFor<Value>(look: () => Value | undefined | false, timeoutMs?: number, what?: string): Promise<Value>;
  /** Everything in a channel, oldest first, ephemeral messages included. */
  messages(channel: string): readonly SeenMessage[];
  /** The bytes of a file that the bot has shared. */
  fileBytes(file: string): Promise<Buffer>;
  /** Every message that was recorded for the bot, in order, whether the bot heard of it or not. */
  readonly posts: readonly Post[];
  /** Resolves when no command, click or event is on its way to the bot any more. */
  settled(): Promise<void>;
  /** Every payload that was refused so far. */
  readonly refusals: readonly {
    readonly method: string;
    readonly error: string;
    readonly sentence: string;
  }[];
}

export type { Actor, Post, SeenMessage, View };

const usualTimeout = 5000;

export function createScript(stage: Stage, connections: () => number): Script {
  const { workspace } = stage.api;
  const refusals: { method: string; error: string; sentence: string }[] = [];
  workspace.news.listen((happening) => {
    if (happening.type === 'refused') refusals.push(happening.refused);
  });

  const messages = (channel: string) =>
    [...(workspace.messages.get(channelNamed(workspace, channel).id)?.values() ?? [])].map((one) =>
      seenMessage(workspace, one),
    );

  function waitFor<Value>(
    look: () => Value | undefined | false,
    timeoutMs = usualTimeout,
    what = 'what was waited for',
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stopListening = workspace.news.listen(check);
      // Connections and files change without news.
      const poll = setInterval(check, 20);
      const timer = setTimeout(() => {
        leave();
        reject(new Error(`Not within ${timeoutMs} ms: ${what}`));
      }, timeoutMs);
      check();

      function check() {
        const value = look();
        if (value === undefined || value === false) return;
        leave();
        resolve(value);
      }
      function leave() {
        clearTimeout(timer);
        clearInterval(poll);
        stopListening();
      }
    });
  }

  return {
    as: (name) => createActor(stage, personCalled(workspace, name), waitFor),
    waitFor,
    messages,
    refusals,
    posts: workspace.posts,
    settled: () => stage.courier.settled(),
    async waitForBot(wanted = 1, timeoutMs = 10_000) {
      await waitFor(() => connections() >= wanted, timeoutMs, `${wanted} connections of the bot`);
    },
    async waitForMessage(channel, wanted, timeoutMs = usualTimeout) {
      const fits = typeof wanted === 'function' ? wanted : (message: SeenMessage) => message.says(wanted);
      try {
        return await waitFor(() => messages(channel).find(fits), timeoutMs);
      } catch {
        const there = messages(channel).map((message) => `- ${message.words.slice(0, 200)}`);
        throw new Error(
          `No such message in ${channel} within ${timeoutMs} ms. There are:\n${there.join('\n')}`,
        );
      }
    },
    async fileBytes(id) {
      const file = workspace.files.get(id);
      if (file?.state !== 'complete') throw new Error(`There is no file ${id}.`);
      return readFile(file.path);
    },
  };
}
