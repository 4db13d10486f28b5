/**
 * Writes down what Slack said, several times over if need be: it must not be lost because somebody else is writing for
 * long.
 *
 * @throws what the last try threw
 */
export async function surely<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
