import { createElement, Fragment, type ReactNode } from 'react';

/** Draws the items of a list that is always replaced as a whole, so that an item's place is name enough. */
export function inOrder<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
