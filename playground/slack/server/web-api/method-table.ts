import { chatMethods } from './chat.js';
import { conversationMethods } from './conversations.js';
import { fileMethods } from './files.js';
import type { Method, Methods } from './method.js';
import { otherMethods } from './others.js';
import { userMethods } from './users.js';
import { viewMethods } from './views.js';

/** Every method of the Web API that this workspace answers. Any other is an `unknown_method`. */
const methodTable: Methods = {
  ...otherMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
};

export function methodNamed(name: string): Method | undefined {
  return Object.hasOwn(methodTable, name) ? methodTable[name] : undefined;
}
