import type { AnyBlock } from '@slack/types';
import type { Asker, ReportRequest } from '../../../requests/request.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Told } from '../../listeners/submissions/submission.js';
import type { Deadline } from '../deadline.js';
import type { BuilderDraft } from './draft.js';
import type { Problem } from './problem.js';

/** A builder that was submitted, with a request that is possible. */
export interface Submitted {
  readonly draft: BuilderDraft;
  readonly request: ReportRequest;
  readonly asker: Asker;
  readonly deadline: Deadline;
}

/** Problems, said under the inputs; or what is done once the form has closed, which gives what to say of it. */
export type Finished =
  | { readonly problems: readonly Problem[] }
  | { readonly commit: () => Promise<readonly Told[]> };

/** Something that can be done with what the builder asks for. */
export interface BuilderPurpose {
  readonly name: string;
  /** Where several purposes can be chosen. */
  readonly label: string;
  /** Over the form, and on its button: at most 24 characters. */
  readonly title: string;
  readonly submit: string;
  /** Whether this builder can have it; absent: every builder can. */
  isOffered?(draft: BuilderDraft): boolean;
  /** The inputs that it has for itself. Their names begin with `own:`, and `draft.extra` has what stands in them. */
  inputs(draft: BuilderDraft): readonly AnyBlock[];
  /** Validates a form by its deadline. It only reads: everything that is written is written by `commit`. */
  finish(submitted: Submitted, parts: ListenerParts): Promise<Finished>;
}

/** The beginning of the names of inputs that purposes have for themselves. */
export const ownInput = 'own:';
