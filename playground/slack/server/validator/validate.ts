/**
 * Validates payloads as Slack does, from Slack's documentation and types. It shares no code with the bot, which builds
 * them. Each function returns the violations with JSON pointers; an empty list means that the payload is valid.
 * If sources disagree, the stricter limit applies.
 */
import type { RuleViolation } from '../page-shapes.js';
import { type Check, flag, isObject, lengthOf, list, object, type ReportViolation, text } from './checks.js';
import { optionGroup, plainOption, plainText } from './composition.js';
import { blocksOn, readableLength, type SurfaceName, validateWholePayload } from './surfaces.js';

/** Observed, not documented: Slack answers `msg_blocks_too_long` slightly above this. */
const maxBlockCharacters = 13_000;
/** A margin below the observed limit. */
const advisedBlockCharacters = 12_000;
const maxViewBytes = 256_000;

/** Validates a message: `{text?, blocks?, attachments?}`. Too much text has the code `msg_blocks_too_long`. */
export function validateMessage(message: { readonly [member: string]: unknown }): RuleViolation[] {
  return collectViolations((report) => {
    if (message.text !== undefined) text({ min: 0 })(message.text, '/text', report);
    if (message.blocks !== undefined) checkBlocks(message.blocks, '/blocks', 'message', report);
    checkAttachments(message.attachments, report);
  });
}

/** Validates blocks on a surface. */
export function validateBlocks(blocks: unknown, surface: SurfaceName = 'message'): RuleViolation[] {
  return collectViolations((report) => checkBlocks(blocks, '/blocks', surface, report));
}

const members = {
  callback_id: text({ min: 0, max: 255 }),
  external_id: text({ min: 0, max: 255 }),
  private_metadata: text({ min: 0, max: 3000 }),
};
const anyValue: Check = () => {};

const modal = object(
  {
    ...members,
    title: plainText(24),
    submit: plainText(24),
    close: plainText(24),
    clear_on_close: flag,
    notify_on_close: flag,
    blocks: anyValue,
  },
  { needs: ['title', 'blocks'] },
);
const home = object({ ...members, blocks: anyValue }, { needs: ['blocks'] });

/** Validates a modal or a Home tab. A view that is too large has the code `view_too_large`. */
export function validateView(view: unknown): RuleViolation[] {
  return collectViolations((report) => {
    if (!isObject(view))
      return report({ code: 'wrong_type', message: 'must provide an object', pointer: '' });
    if (view.type !== 'modal' && view.type !== 'home')
      return report({ code: 'not_one_of', message: 'must be one of: modal, home', pointer: '/type' });
    (view.type === 'modal' ? modal : home)(view, '', report);
    if (view.blocks !== undefined) checkBlocks(view.blocks, '/blocks', view.type, report);
    if (view.type === 'modal' && view.submit === undefined && hasInput(view.blocks))
      report({
        code: 'missing',
        message: 'missing required field: submit, since there is an input',
        pointer: '',
      });
    if (Buffer.byteLength(JSON.stringify(view)) > maxViewBytes)
      report({ code: 'view_too_large', message: `must be at most ${maxViewBytes} bytes`, pointer: '' });
  });
}

const optionsAnswer = object(
  {
    options: list(plainOption, { max: 100 }),
    option_groups: list(optionGroup, { max: 100 }),
  },
  { needsOneOf: ['options', 'option_groups'] },
);

/** Validates the answer to a request for options. */
export function validateOptionsAnswer(answer: unknown): RuleViolation[] {
  return collectViolations((report) => optionsAnswer(answer, '', report));
}

/** Validates the answer to a `view_submission`. Errors must belong to inputs of the submitted `view`. */
export function validateViewAnswer(answer: unknown, view: { readonly blocks: unknown }): RuleViolation[] {
  return collectViolations((report) => {
    if (!isObject(answer))
      return report({ code: 'wrong_type', message: 'must provide an object', pointer: '' });
    if (Object.keys(answer).length === 0) return;
    const action = answer.response_action;
    if (action === 'errors') checkErrors(answer.errors, view.blocks, report);
    else if (action === 'update' || action === 'push')
      for (const rule of validateView(answer.view)) report({ ...rule, pointer: `/view${rule.pointer}` });
    else if (action !== 'clear')
      report({
        code: 'not_one_of',
        message: 'must be one of: errors, update, push, clear',
        pointer: '/response_action',
      });
  });
}

/** Advice about valid messages: blocks without `text`, or more text than recommended. */
export function adviseMessage(message: { readonly [member: string]: unknown }): RuleViolation[] {
  return collectViolations((report) => {
    const words = typeof message.text === 'string' ? message.text : '';
    if (words.trim() === '')
      report({
        code: 'missing',
        message: 'text is what screen readers and notifications say',
        pointer: '/text',
      });
    if (readableLength(message.blocks) > advisedBlockCharacters)
      report({
        code: 'too_long',
        message: 'should be less than 12001 characters together',
        pointer: '/blocks',
      });
    if (lengthOf(words) > 4000)
      report({ code: 'too_long', message: 'should be less than 4001 characters', pointer: '/text' });
  });
}

function collectViolations(check: (report: ReportViolation) => void): RuleViolation[] {
  const rules: RuleViolation[] = [];
  check((rule) => rules.push(rule));
  return rules;
}

function checkBlocks(blocks: unknown, pointer: string, surface: SurfaceName, report: ReportViolation) {
  blocksOn(surface)(blocks, pointer, report);
  if (!Array.isArray(blocks)) return;
  validateWholePayload(blocks, pointer, surface, report);
  if (surface === 'message' && readableLength(blocks) > maxBlockCharacters)
    report({
      code: 'msg_blocks_too_long',
      message: `all blocks must be less than ${maxBlockCharacters + 1} characters together`,
      pointer,
    });
}

function checkAttachments(attachments: unknown, report: ReportViolation) {
  if (attachments === undefined) return;
  if (!Array.isArray(attachments))
    return report({ code: 'wrong_type', message: 'must provide an array', pointer: '/attachments' });
  if (attachments.length > 100)
    report({
      code: 'too_many_attachments',
      message: 'no more than 100 items allowed',
      pointer: '/attachments',
    });
  for (const [index, attachment] of attachments.entries())
    if (isObject(attachment) && attachment.blocks !== undefined)
      checkBlocks(attachment.blocks, `/attachments/${index}/blocks`, 'message', report);
}

function hasInput(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.some((block) => isObject(block) && block.type === 'input');
}

function checkErrors(errors: unknown, blocks: unknown, report: ReportViolation) {
  if (!isObject(errors) || Object.keys(errors).length === 0)
    return report({ code: 'missing', message: 'missing required field: errors', pointer: '' });
  const inputs = new Set(
    Array.isArray(blocks)
      ? blocks.flatMap((block) => (isObject(block) && block.type === 'input' ? [block.block_id] : []))
      : [],
  );
  for (const [name, sentence] of Object.entries(errors)) {
    const pointer = `/errors/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    text()(sentence, pointer, report);
    if (!inputs.has(name))
      report({ code: 'not_an_input', message: 'must be the block_id of an input of the view', pointer });
  }
}
