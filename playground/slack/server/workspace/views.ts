import { createHash } from 'node:crypto';
import { withBlockIds } from './messages.js';
import type { Thing, View } from './records.js';
import { initialState, keepTypedState } from './state-values.js';
import type { Workspace } from './workspace.js';

const deepestStack = 3;

/** The modals in front of each person, and the Home tabs. */
export interface Views {
  /** Bottom first. */
  stackOf(user: string): readonly View[];
  homeOf(user: string): View | undefined;
  find(name: { readonly viewId?: string; readonly externalId?: string }): View | undefined;
  /** Opens a stack with this view alone; what was open is gone. */
  open(user: string, content: ViewContent): View;
  /** Lays a view on the stack; nothing when it is full. */
  push(user: string, content: ViewContent): View | undefined;
  update(view: View, content: ViewContent): void;
  publish(user: string, content: ViewContent): View;
  /** Takes this view away and whatever lies on it. */
  closeFrom(view: View): void;
  closeAll(user: string): void;
  /** Tells that something beside the content has changed: errors, values, waiting. */
  touch(view: View): void;
}

export type ViewContent = Thing & { readonly blocks: readonly Thing[] };

export function createViews(workspace: Workspace): Views {
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  let versions = 0;

  const stackOf = (user: string): readonly View[] => stacks.get(user) ?? [];
  const tell = (view: View) =>
    workspace.news.tell({ type: view.type === 'home' ? 'home' : 'modals', user: view.user });

  function newHash(): string {
    versions += 1;
    const sum = createHash('sha1').update(`${versions}`).digest('base64url').slice(0, 8);
    return `${Math.floor(workspace.clock.now() / 1000)}.${sum}`;
  }

  function make(user: string, type: View['type'], content: ViewContent, below: View | undefined): View {
    const id = workspace.newId('V');
    const named = { ...content, blocks: withBlockIds(workspace, content.blocks) };
    return {
      id,
      type,
      user,
      content: named,
      hash: newHash(),
      state: initialState(named.blocks),
      rootId: below?.rootId ?? id,
      errors: {},
      waiting: false,
      ...(below && { previousId: below.id }),
    };
  }

  function update(view: View, content: ViewContent): void {
    view.content = { ...content, blocks: withBlockIds(workspace, content.blocks) };
    view.hash = newHash();
    view.state = keepTypedState(view.content.blocks, view.state);
    view.errors = {};
    delete view.failed;
    tell(view);
  }

  return {
    stackOf,
    homeOf: (user) => homes.get(user),
    find({ viewId, externalId }) {
      const all = [...homes.values(), ...[...stacks.values()].flat()];
      return all.find((view) =>
        viewId ? view.id === viewId : externalId !== undefined && view.content.external_id === externalId,
      );
    },
    open(user, content) {
      const view = make(user, 'modal', content, undefined);
      stacks.set(user, [view]);
      tell(view);
      return view;
    },
    push(user, content) {
      const stack = stackOf(user);
      if (stack.length >= deepestStack) return undefined;
      const view = make(user, 'modal', content, stack.at(-1));
      stacks.set(user, [...stack, view]);
      tell(view);
      return view;
    },
    update,
    publish(user, content) {
      const published = homes.get(user);
      if (published) {
        update(published, content);
        return published;
      }
      const view = make(user, 'home', content, undefined);
      homes.set(user, view);
      tell(view);
      return view;
    },
    closeFrom(view) {
      const at = stackOf(view.user).indexOf(view);
      if (at < 0) return;
      stacks.set(view.user, stackOf(view.user).slice(0, at));
      tell(view);
    },
    closeAll(user) {
      stacks.set(user, []);
      workspace.news.tell({ type: 'modals', user });
    },
    touch: tell,
  };
}
