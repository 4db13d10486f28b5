// What the page remembers between visits: the person for this tab, the inspector for this browser.

const person = 'rollcall.person';
const inspector = 'rollcall.inspector';

export function rememberPerson(user: string): void {
  sessionStorage.setItem(person, user);
}

export function rememberedPerson(): string | undefined {
  return sessionStorage.getItem(person) ?? undefined;
}

export function rememberInspector(open: boolean): void {
  localStorage.setItem(inspector, open ? 'open' : 'closed');
}

/** Open where the window has room for it beside the conversation, until somebody chose otherwise. */
export function inspectorIsOpen(): boolean {
  const chosen = localStorage.getItem(inspector);
  return chosen === null ? window.innerWidth >= 1500 : chosen === 'open';
}
