/**
 * The protocol between the browser page and the local Slack, over the WebSocket `/page/socket`: one JSON text per
 * message. Types only. A page acts as one person, and receives only what that person can see.
 *
 * 1. After connecting, the server sends a `Snapshot` for the first person, then updates.
 * 2. The page sends actions, each with an `id` that it chooses. The server answers each with an `ActionResult`.
 * 3. The action `switch-user` changes the person. A new `Snapshot` comes before its result.
 * 4. Files come by `GET /files/…`; with `?download` the browser saves them.
 */
import type {
  InspectorEntry,
  Json,
  JsonObject,
  PageChannel,
  PageClock,
  PageCommand,
  PageMessage,
  PageProcess,
  PageRefusal,
  PageShortcut,
  PageUser,
  PageView,
  StateValues,
} from './page-shapes.js';

export type * from './page-shapes.js';

// Server to page.

/** Everything the person sees. It replaces the state of the page. */
export interface Snapshot {
  readonly type: 'snapshot';
  readonly team: { readonly id: string; readonly name: string };
  /** ID of the person. */
  readonly me: string;
  /** All users, including the bot. */
  readonly users: readonly PageUser[];
  readonly bot: { readonly user: string; readonly name: string; readonly connected: boolean };
  readonly commands: readonly PageCommand[];
  readonly shortcuts: readonly PageShortcut[];
  /** In sidebar order: channels, then direct messages. */
  readonly channels: readonly PageChannel[];
  /** The channel to open first. */
  readonly openChannel: string;
  /** Messages of all these channels, oldest first, including replies. */
  readonly messages: readonly PageMessage[];
  /** Open modals, bottom first. */
  readonly modals: readonly PageView[];
  /** The bot's Home tab; absent if the bot has not published one for this person. */
  readonly home?: PageView;
  /** Newest first. */
  readonly refusals: readonly PageRefusal[];
  /** Newest first, the last 300. */
  readonly inspector: readonly InspectorEntry[];
  readonly clock: PageClock;
  /** The processes of the bot; absent where there is one. */
  readonly processes?: readonly PageProcess[];
}

/** A change. Each update carries the whole object: replace the one with the same ID, or add it. */
export type PageUpdate =
  | { readonly type: 'message'; readonly message: PageMessage }
  | { readonly type: 'message-removed'; readonly channel: string; readonly ts: string }
  | { readonly type: 'channel'; readonly channel: PageChannel }
  | { readonly type: 'channel-removed'; readonly channel: string }
  /** The whole stack, bottom first; empty if no modal is open. */
  | { readonly type: 'modals'; readonly modals: readonly PageView[] }
  | { readonly type: 'home'; readonly home: PageView }
  | { readonly type: 'refusal'; readonly refusal: PageRefusal }
  | { readonly type: 'inspector'; readonly entry: InspectorEntry }
  | { readonly type: 'clock'; readonly clock: PageClock }
  | { readonly type: 'processes'; readonly processes: readonly PageProcess[] }
  | { readonly type: 'bot'; readonly connected: boolean };

/** The answer to an action. */
export interface ActionResult {
  readonly type: 'result';
  readonly id: number;
  readonly ok: boolean;
  /** With `ok: false`: a message for the person. */
  readonly problem?: string;
  /** For `options`: the bot's options. Exactly one of the two is present. */
  readonly options?: readonly JsonObject[];
  readonly optionGroups?: readonly JsonObject[];
  /** For `assistant`: the result of the call. */
  readonly answer?: JsonObject;
  /** For `post` and `open-dm`: the channel and message. */
  readonly channel?: string;
  readonly ts?: string;
}

export type ServerMessage = Snapshot | PageUpdate | ActionResult;

// Page to server.

/** The surface that holds an element. */
export type Surface =
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string }
  /** A modal or the Home tab. */
  | { readonly kind: 'view'; readonly view: string };

/**
 * The new value of an element, by its type:
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
  /** Plain text as typed. `@handle` and `#channel` become mentions. */
  | { readonly type: 'post'; readonly channel: string; readonly text: string; readonly threadTs?: string }
  /** The whole line, beginning with `/`. */
  | { readonly type: 'command'; readonly channel: string; readonly line: string }
  | {
      readonly type: 'action';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      readonly value: ActionValue;
      /** Current values of the surface's inputs. Missing inputs keep their values. */
      readonly state?: StateValues;
    }
  | { readonly type: 'submit'; readonly view: string; readonly state: StateValues }
  /** `all: true` is the X button; otherwise Cancel, which shows the view below. */
  | { readonly type: 'close'; readonly view: string; readonly all: boolean }
  /** The page sends this when typing pauses, from `min_query_length` characters on. */
  | {
      readonly type: 'options';
      readonly surface: Surface;
      readonly blockId: string;
      readonly actionId: string;
      readonly query: string;
      /** Current values of the surface's inputs, as with `action`. */
      readonly state?: StateValues;
    }
  | { readonly type: 'open-app'; readonly tab: 'home' | 'messages' }
  /** Opens the direct message with a person or the bot. */
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
  /** `/invite @handle` and `/remove @handle`, for people and the bot. */
  | { readonly type: 'invite'; readonly channel: string; readonly user: string }
  | { readonly type: 'remove'; readonly channel: string; readonly user: string }
  | { readonly type: 'archive'; readonly channel: string; readonly archived: boolean }
  | { readonly type: 'share'; readonly channel: string; readonly shared: boolean }
  | { readonly type: 'dismiss'; readonly channel: string; readonly ts: string }
  | { readonly type: 'mark-seen'; readonly channel: string; readonly ts: string }
  /** Moves the workspace's clock by this many milliseconds; negative moves it back. */
  | { readonly type: 'move-clock'; readonly by: number }
  /** Returns to the machine's time. */
  | { readonly type: 'reset-clock' }
  /** Renews the bot's connections, as Slack does every few hours. */
  | { readonly type: 'renew-connections' }
  /** Kills the process of the bot that leads. */
  | { readonly type: 'kill-leader' }
  /** Slackbot lists the tools of the app, or calls one for the person. */
  | { readonly type: 'assistant'; readonly method: 'tools/list' | 'tools/call'; readonly params: JsonObject }
  | { readonly type: 'clear-inspector' };

/** An action with the `id` of its result. */
export type ActionRequest = PageAction & { readonly id: number };
