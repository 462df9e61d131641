import type { ProblemFacts } from '../../pipeline/problem.ts';
import { html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import type { PageCall } from '../page-call.ts';
import { sameByCurl } from '../parts/forms.ts';
import { problemBox } from '../parts/problem.ts';
import { consoleViews } from '../views.ts';
import { layout } from './layout.ts';

/** The page of a view. */
export async function viewPage(call: PageCall, view: ConsoleView): Promise<string> {
  const { title, windowTitle = String(title), content, goesOn = false } = await view.show(call);
  return layout({
    call,
    nav: navigation(call),
    clock: await call.clock(),
    live: view.live ?? [],
    goesOn,
    title,
    windowTitle,
    content: html`${content} ${sameByCurl(call.lines, 'view-curl')}`,
  });
}

/** The page of a request that was refused. The clock is left out when it cannot be read. */
export async function errorPage(call: PageCall, problem: ProblemFacts): Promise<string> {
  const title = problem.status === 404 ? 'It is not here' : 'This did not work';
  const clock = await call.clock().catch(() => null);
  const content = problemBox(problem);
  return layout({ call, nav: navigation(call), clock, live: [], title, windowTitle: title, content });
}

/** A page that shows nothing of the bank. */
export function plainPage(call: PageCall, title: string, content: HtmlValue): string {
  return layout({ call, nav: [], clock: null, live: null, title, windowTitle: title, content });
}

function navigation({ here }: PageCall): { readonly path: string; readonly label: string; readonly isHere: boolean }[] {
  const [path = ''] = here.split('?');
  return consoleViews.flatMap(({ path: own, nav: label }) => {
    if (label === undefined) return [];
    return [{ path: own, label, isHere: own === path || (own !== '' && path.startsWith(`${own}/`)) }];
  });
}
