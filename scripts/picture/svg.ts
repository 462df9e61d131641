/** A day of the strip: `2027-03-25`, why the bank is closed, and what happens on it. */
export interface Day {
  readonly date: string;
  /** How many runs it has; none: the bank is closed. */
  readonly runs: number;
  readonly reason: string;
  readonly note: string;
}

/** Pixels. */
const margin = 20;
const dayWidth = 122;
const dayHeight = 64;
const gap = 5;
const lineHeight = 18;
const letterWidth = 7.23;
const width = 2 * margin + 7 * dayWidth + 6 * gap;
const lettersInLine = Math.floor((width - 2 * margin - 24) / letterWidth);

const style = `
  .back { fill: #ffffff; } .screen { fill: #f3f5f8; stroke: #d5dae1; } .text { fill: #1f2733; } .soft { fill: #5b6573; }
  .open { fill: #e3f2e8; stroke: #8fc4a3; } .closed { fill: #eceef1; stroke: #cfd4da; } .accent { fill: #14713f; font-weight: 600; }
  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117; } .screen { fill: #161b22; stroke: #30363d; } .text { fill: #e6edf3; } .soft { fill: #9aa5b1; }
    .open { fill: #12301f; stroke: #2f6b48; } .closed { fill: #1c2128; stroke: #373e47; } .accent { fill: #5fd393; }
  }`;

/** Days side by side, and below them the lines of a terminal; legible on a light and on a dark page. */
export function svg(days: readonly Day[], lines: readonly string[]): string {
  const screenTop = margin + dayHeight + 16;
  const shown = lines.flatMap(wrapped);
  const screenHeight = shown.length * lineHeight + 20;
  const height = screenTop + screenHeight + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '  <title>A payment signed before Easter 2027 for Maundy Thursday settles on Tuesday 30 March</title>',
    `  <style>${style}\n  </style>`,
    `  <rect class="back" width="${width}" height="${height}" rx="8"/>`,
    ...days.flatMap((day, index) => dayBox(day, margin + index * (dayWidth + gap))),
    `  <rect class="screen" x="${margin}" y="${screenTop}" width="${width - 2 * margin}" height="${screenHeight}" rx="6"/>`,
    ...shown.map((line, index) => {
      const kind = line.startsWith('$') ? 'accent' : 'text';
      return text(kind, margin + 12, screenTop + 10 + 13 + index * lineHeight, line);
    }),
    '</svg>',
    '',
  ].join('\n');
}

function dayBox({ date, runs, reason, note }: Day, left: number): string[] {
  const name = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  return [
    `  <rect class="${runs > 0 ? 'open' : 'closed'}" x="${left}" y="${margin}" width="${dayWidth}" height="${dayHeight}" rx="6"/>`,
    text('text', left + 9, margin + 19, name.format(new Date(date))),
    text('soft', left + 9, margin + 37, runs > 0 ? `${runs} runs` : reason),
    text('accent', left + 9, margin + 55, note),
  ];
}

function text(kind: string, x: number, y: number, words: string): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `  <text class="${kind}" x="${x}" y="${y}">${escaped}</text>`;
}

/** A line as long as the screen is wide; what does not fit goes on below, as far in as it began. */
function wrapped(line: string): string[] {
  if (line.length <= lettersInLine) return [line];
  const start = line.length - line.trimStart().length;
  const end = line.lastIndexOf(' ', lettersInLine);
  if (end <= start) return [line];
  return [line.slice(0, end), ...wrapped(' '.repeat(start) + line.slice(end + 1))];
}
