import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../src/operations/metrics.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const alerts: readonly AlertRule[] = parse(read('deploy/prometheus-alerts.yml')).groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
);
const panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[] =
  JSON.parse(read('deploy/grafana-dashboard.json')).panels;

/** The names and labels of all series that the bot serves. */
async function seriesOfBot(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = createMetrics(() => true);
  const end = { seconds: 1, records: 1, secondsLate: 1 };
  metrics.requestEnded({ ...end, report: 'tracks', outcome: 'failed', code: 'x' });
  metrics.digestEnded({ ...end, outcome: 'delivered', code: 'x', alert: 'posted' });
  const none = { nothingToTell: 0, declined: 0, failed: {}, rows: 0, notReached: [] };
  const strays = { withoutManager: 0, severalManagers: 0, ownManager: 0 };
  metrics.managersRunEnded({ ...none, ...strays, sent: 1, unconfirmed: 1 });
  metrics.slackFailed('chat.postMessage', 'x');
  metrics.waitedForRateLimit(1);
  const { text } = await metrics.page();
  metrics.close();
  const series = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (!name) continue;
    const known = series.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

/** What an expression reads: names of series, and the labels in its selectors and groupings. */
function readsOf(expression: string) {
  const withoutTexts = expression.replace(/"[^"]*"/g, '""');
  const names = [...withoutTexts.matchAll(/\b(?:rollcall|nodejs|process)_[a-z_0-9]+/g)].map(([name]) => name);
  const selectors = [...withoutTexts.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/([a-z_]+)\s*(?:=|!=|=~)/g)].map(([, label = '']) => label),
  );
  const groupings = [...withoutTexts.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) =>
    inside.split(',').map((label) => label.trim()),
  );
  return { names, labels: [...selectors, ...groupings] };
}

describe('alerts and dashboard', () => {
  it('read series and labels that the bot serves', async () => {
    const series = await seriesOfBot();
    const expressions = [
      ...alerts.map(({ alert, expr }) => [alert, expr] as const),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    for (const [title, expression] of expressions) {
      const { names, labels } = readsOf(expression);
      if (expression.includes('up{job=')) continue;
      expect(names.length, title).toBeGreaterThan(0);
      const labelsOfAll = new Set(names.flatMap((name) => [...(series.get(name) ?? [])]));
      for (const name of names) expect([...series.keys()], `${title}: ${name}`).toContain(name);
      for (const label of labels) expect([...labelsOfAll], `${title}: ${label}`).toContain(label);
    }
  });

  it('say what happened, and where the page has the way out', () => {
    const page = read('docs/operating.md');
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.summary, alert).toMatch(/^[A-Z].*[.]?$/);
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.runbook).toBe('docs/operating.md#when-an-alert-fires');
      expect(page, alert).toContain(`\`${alert}\``);
    }
    expect(page).toContain('\n## When an alert fires\n');
  });
});
