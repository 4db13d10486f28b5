import type { App, ViewClosedAction, ViewSubmitAction } from '@slack/bolt';
import type { View } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { become, chromium, eventually, openSlackPage, option, plain, say, useBrowser } from './chromium.js';

type Values = ViewSubmitAction['view']['state']['values'];

const nameInput = (block_id: string, label: string) => ({
  type: 'input' as const,
  block_id,
  label: plain(label),
  element: { type: 'plain_text_input' as const, action_id: 'text' },
});

function form(callback_id: string, blocks: View['blocks'], more: Partial<View> = {}): View {
  return {
    type: 'modal',
    callback_id,
    title: plain(callback_id),
    submit: plain('Go'),
    close: plain('Back'),
    blocks,
    ...more,
  } as View;
}

/** Opens this view on `/report`. */
function opens(app: App, view: View) {
  app.command('/report', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
}

describe.skipIf(!chromium)('modals', () => {
  const browser = useBrowser();

  it('show errors under their inputs, keep typed values, and close after a valid submission', async () => {
    const submitted: Values[] = [];
    const { page } = await openSlackPage(browser, (app) => {
      opens(app, form('Save', [nameInput('name', 'Name'), nameInput('note', 'Note')]));
      app.view('Save', async ({ ack, view }) => {
        submitted.push(view.state.values);
        if (view.state.values.name?.text?.value === 'help')
          return ack({ response_action: 'errors', errors: { name: 'This name is taken by a subcommand.' } });
        return ack();
      });
    });
    await say(page, '/report');
    const dialog = page.getByRole('dialog', { name: 'Save' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('help');
    await dialog.getByRole('button', { name: 'Go' }).click();
    // Slack itself misses the other field first.
    await dialog.getByRole('textbox', { name: 'Note', description: /fill in/i }).waitFor();
    expect(submitted).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Note' }).fill('for Mondays');
    await dialog.getByRole('button', { name: 'Go' }).click();
    const wrong = dialog.getByRole('textbox', { name: 'Name', description: /taken by a subcommand/ });
    await wrong.waitFor();
    expect(await wrong.getAttribute('aria-invalid')).toBe('true');
    await wrong.and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('for Mondays');
    await wrong.fill('Weekly overdue');
    await wrong.press('Enter');
    await eventually(() => dialog.count()).toBe(0);
    expect(submitted.at(-1)).toMatchObject({
      name: { text: { value: 'Weekly overdue' } },
      note: { text: { value: 'for Mondays' } },
    });
  });

  it('stack up to three: Back shows the one below with its values, the X button closes all', async () => {
    const closed: { callback: string; cleared: boolean }[] = [];
    const { page } = await openSlackPage(browser, (app) => {
      const level = (name: string) =>
        form(name, [nameInput('name', 'Name')], { notify_on_close: true } as Partial<View>);
      opens(app, level('First'));
      app.view('First', ({ ack }) => ack({ response_action: 'push', view: level('Second') }));
      app.view('Second', ({ ack }) => ack({ response_action: 'push', view: level('Third') }));
      app.view<ViewClosedAction>({ type: 'view_closed', callback_id: /./ }, async ({ ack, view, body }) => {
        closed.push({ callback: view.callback_id, cleared: body.is_cleared });
        await ack();
      });
    });
    await say(page, '/report');
    for (const name of ['First', 'Second']) {
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(`typed in ${name}`);
      await dialog.getByRole('button', { name: 'Go' }).click();
    }
    await page.getByRole('dialog', { name: 'Third' }).getByRole('button', { name: 'Back' }).click();
    const second = page.getByRole('dialog', { name: 'Second' });
    expect(await second.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('typed in Second');
    await page.keyboard.press('Escape');
    const first = page.getByRole('dialog', { name: 'First' });
    expect(await first.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('typed in First');
    await first.getByRole('button', { name: 'Go' }).click();
    await second.getByRole('button', { name: 'Close all' }).click();
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await eventually(() => closed).toEqual([
      { callback: 'Third', cleared: false },
      { callback: 'Second', cleared: false },
      { callback: 'First', cleared: true },
    ]);
  });

  it('keep typed values over an update while block and action IDs stay', async () => {
    const { page } = await openSlackPage(browser, (app) => {
      const kind = {
        type: 'input' as const,
        block_id: 'kind',
        label: plain('Kind'),
        dispatch_action: true,
        element: {
          type: 'static_select' as const,
          action_id: 'kind',
          options: [option('Small'), option('Large')],
        },
      };
      opens(app, form('Build', [kind, nameInput('same', 'Same'), nameInput('other', 'Other')]));
      app.action('kind', async ({ ack, client, body }) => {
        await ack();
        if (body.type !== 'block_actions' || !body.view) return;
        const view = form('Build', [
          kind,
          nameInput('same', 'Same, redrawn'),
          nameInput('other-2', 'Other, redrawn'),
        ]);
        await client.views.update({ view_id: body.view.id, hash: body.view.hash, view });
      });
    });
    await say(page, '/report');
    const dialog = page.getByRole('dialog', { name: 'Build' });
    await dialog.getByRole('textbox', { name: 'Same' }).fill('stays');
    await dialog.getByRole('textbox', { name: 'Other' }).fill('goes');
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await dialog.getByRole('option', { name: 'Large' }).click();
    const redrawn = dialog.getByRole('textbox', { name: 'Same, redrawn' });
    await redrawn.waitFor();
    expect(await redrawn.inputValue()).toBe('stays');
    expect(await dialog.getByRole('textbox', { name: 'Other, redrawn' }).inputValue()).toBe('');
    expect(await dialog.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('Large');
  });

  it('request options from the bot while typing, by keyboard alone', async () => {
    const asked: string[] = [];
    const submitted: Values[] = [];
    const { page } = await openSlackPage(browser, (app) => {
      const departments = {
        type: 'input' as const,
        block_id: 'departments',
        label: plain('Departments'),
        element: { type: 'multi_external_select' as const, action_id: 'departments', min_query_length: 2 },
      };
      opens(app, form('Filter', [departments]));
      app.options('departments', async ({ ack, payload }) => {
        asked.push(payload.value);
        const all = ['Sales', 'Salaries', 'Support'];
        await ack({
          options: all
            .filter((name) => name.toLowerCase().includes(payload.value))
            .map((name) => option(name)),
        });
      });
      app.view('Filter', async ({ ack, view }) => {
        submitted.push(view.state.values);
        await ack();
      });
    });
    await say(page, '/report');
    const field = page.getByRole('combobox', { name: 'Departments' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('s');
    await page.getByText('Type 2 letters or more.').waitFor();
    await page.keyboard.type('al');
    await page.getByRole('option', { name: 'Salaries' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Salaries' }).waitFor();
    await page.keyboard.type('supp');
    await page.getByRole('option', { name: 'Support' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Go' }).click();
    await eventually(() => submitted.length).toBe(1);
    const { selected_options } = submitted[0]?.departments?.departments ?? {};
    expect(selected_options?.map(({ value }) => value)).toEqual(['salaries', 'support']);
    expect(asked).not.toContain('s');
  });

  it('trap and restore the focus, and are visible to one person only', async () => {
    const { page, slack } = await openSlackPage(browser, (app) =>
      opens(app, form('Mine', [nameInput('name', 'Name')])),
    );
    const noah = await browser.open(slack.url);
    await become(noah, 'Noah Okafor');
    await say(page, '/report');
    const dialog = page.getByRole('dialog', { name: 'Mine' });
    await dialog.waitFor();
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus:not(dialog *)').count()).toBe(0);
    }
    expect(await noah.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await eventually(() => dialog.count()).toBe(0);
    await page.getByRole('textbox', { name: 'Message to #learning' }).and(page.locator(':focus')).waitFor();
  });

  it('show an error when the bot does not answer', async () => {
    const { page } = await openSlackPage(
      browser,
      (app) => opens(app, form('Deaf', [nameInput('name', 'Name')])),
      { ackMs: 300 },
    );
    await say(page, '/report');
    const dialog = page.getByRole('dialog', { name: 'Deaf' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('x');
    await dialog.getByRole('button', { name: 'Go' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('x');
  });
});
