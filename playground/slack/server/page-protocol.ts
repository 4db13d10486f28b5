/**
 * What the browser page and the local Slack say to each other over the WebSocket `/page/socket`, one JSON text per
 * message. Types only. The page is one person at a time: it gets what that person sees, and nothing else.
 *
 * 1. After connecting the server sends a `Snapshot` for the first person, then live news about that person's view.
 * 2. The page sends acts, each with an `id` that it chooses; each is answered by one `Done` with the same `id`.
 * 3. An act `become` changes the person: a new `Snapshot` follows before its `Done`.
 * 4. Files come by `GET /files/…` (add `?download` to have them saved rather than shown).
 */
import type {
  InspectorEntry,
  Json,
  JsonObject,
  PageChannel,
  PageClock,
  PageCommand,
  PageMessage,
  PageRefusal,
  PageShortcut,
  PageUser,
  PageView,
  StateValues,
} from './page-shapes.js';

export type * from './page-shapes.js';

// Server to page.

/** Everything the person sees. Replaces all that the page knew. */
export interface Snapshot {
  readonly type: 'snapshot';
  readonly team: { readonly id: string; readonly name: string };
  /** Whose eyes these are. */
  readonly me: string;
  /** Everybody, the bot included. */
  readonly users: readonly PageUser[];
  readonly bot: { readonly user: string; readonly name: string; readonly connected: boolean };
  readonly commands: readonly PageCommand[];
  readonly shortcuts: readonly PageShortcut[];
  /** In the order of the sidebar: channels, then direct messages. */
  readonly channels: readonly PageChannel[];
  /** The channel to open first. */
  readonly openChannel: string;
  /** Of all these channels, oldest first, replies among them. */
  readonly messages: readonly PageMessage[];
  /** The modals in front of the person, bottom first. */
  readonly modals: readonly PageView[];
  /** The bot's Home tab; absent: the bot has published none for this person. */
  readonly home?: PageView;
  /** Newest first. */
  readonly refusals: readonly PageRefusal[];
  /** Newest first, the last 300. */
  readonly inspector: readonly InspectorEntry[];
  readonly clock: PageClock;
}

/** Live news. Each names the whole thing: put it in place of the one with the same name, or add it. */
export type PageUpdate =
  | { readonly type: 'message'; readonly message: PageMessage }
  | { readonly type: 'message-removed'; readonly channel: string; readonly ts: string }
  | { readonly type: 'channel'; readonly channel: PageChannel }
  | { readonly type: 'channel-removed'; readonly channel: string }
  /** The whole stack after a change, bottom first; empty: no modal is open. */
  | { readonly type: 'modals'; readonly modals: readonly PageView[] }
  | { readonly type: 'home'; readonly home: PageView }
  | { readonly type: 'refusal'; readonly refusal: PageRefusal }
  | { readonly type: 'inspector'; readonly entry: InspectorEntry }
  | { readonly type: 'clock'; readonly clock: PageClock }
  | { readonly type: 'bot'; readonly connected: boolean };

/** The answer to an act. */
export interface ActionResult {
  readonly type: 'result';
  readonly id: number;
  readonly ok: boolean;
  /** With `ok: false`: a sentence for the person. */
  readonly problem?: string;
  /** For `options`: what the bot offers; one of the two is there. */
  readonly options?: readonly JsonObject[];
  readonly optionGroups?: readonly JsonObject[];
  /** For `post`, `open-dm`: where it went. */
  readonly channel?: string;
  readonly ts?: string;
}

export type ServerMessage = Snapshot | PageUpdate | ActionResult;

// Page to server.

/** The surface that holds the element that was used. */
export type Surface =
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string }
  /** A modal or the Home tab. */
  | { readonly kind: 'view'; readonly view: string };

/**
 * What the person did to an element, by its type:
 * - button, icon_button, workflow_button: nothing (`{}`); feedback_buttons: `{value}` of the one pressed
 * - overflow, radio_buttons, static_select, external_select: `{selected_option}` (whole option, or null)
 * - checkboxes, multi_static_select, multi_external_select: `{selected_options}`
 * - users/conversations/channels_select: `{selected_user}`, `{selected_conversation}`, `{selected_channel}`;
 *   their multi forms `{selected_users}` and so on
 * - datepicker `{selected_date}`, timepicker `{selected_time}`, datetimepicker `{selected_date_time}` (seconds)
 * - inputs with `dispatch_action`: `{value}`
 */
export type ActionValue = Readonly<Record<string, Json>>;

export type PageAction =
  | { readonly type: 'switch-user'; readonly user: string }
  /** Plain text as typed: `@handle` and `#channel` become mentions. */
  | { readonly type: 'post'; readonly channel: string; readonly text: string; readonly threadTs?: string }
  /** The whole line, beginning with `/`. */
  | { readonly type: 'command'; readonly channel: string; readonly line: string }
  | {
      readonly type: 'action';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      readonly value: ActionValue;
      /** Everything now in the surface's inputs; what is left out keeps its value. */
      readonly state?: StateValues;
    }
  | { readonly type: 'submit'; readonly view: string; readonly state: StateValues }
  /** `all: true` is the x in the corner; otherwise the Cancel button, which uncovers the view below. */
  | { readonly type: 'close'; readonly view: string; readonly all: boolean }
  /** The page waits until typing has paused, and for `min_query_length` characters. */
  | {
      readonly type: 'options';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      readonly query: string;
      /** Everything now in the surface's inputs, as with `action`. */
      readonly state?: StateValues;
    }
  | { readonly type: 'open-app'; readonly tab: 'home' | 'messages' }
  /** Opens, or finds, the direct message with a person or with the bot. */
  | { readonly type: 'open-dm'; readonly user: string }
  | { readonly type: 'shortcut'; readonly callbackId: string }
  | {
      readonly type: 'message-shortcut';
      readonly callbackId: string;
      readonly channel: string;
      readonly ts: string;
    }
  | { readonly type: 'join'; readonly channel: string }
  | { readonly type: 'leave'; readonly channel: string }
  /** `/invite @somebody`, `/remove @somebody`; the bot is somebody too. */
  | { readonly type: 'invite'; readonly channel: string; readonly user: string }
  | { readonly type: 'remove'; readonly channel: string; readonly user: string }
  | { readonly type: 'archive'; readonly channel: string; readonly archived: boolean }
  | { readonly type: 'share'; readonly channel: string; readonly shared: boolean }
  | { readonly type: 'dismiss'; readonly channel: string; readonly ts: string }
  | { readonly type: 'mark-seen'; readonly channel: string; readonly ts: string }
  /** Moves the workspace's clock on by that many milliseconds (backwards when negative). */
  | { readonly type: 'move-clock'; readonly by: number }
  /** Back to the machine's own time. */
  | { readonly type: 'reset-clock' }
  /** Slack renews its connections with the bot now, as it does every few hours. */
  | { readonly type: 'renew-connections' }
  | { readonly type: 'clear-inspector' };

/** An act with the number its answer will carry. */
export type ActionRequest = PageAction & { readonly id: number };
