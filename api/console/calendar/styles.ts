/** The page of a month: a grid, and on a phone a list of the days that have something. */
export const calendarStyles = `
.weekdays,.month,.month ul{list-style:none}
.weekdays,.nothing{display:none}
.month{margin-top:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
.day{display:grid;grid-template-columns:auto minmax(0,1fr);place-content:start stretch;align-items:baseline;gap:.15rem .5rem;min-width:0;font-size:.8125rem;line-height:1.4}
.day.closed{background:var(--closed)}
.date b{font-size:.875rem;font-weight:600}
.date a{display:inline-block;min-width:1.5rem;margin-block:-.15rem;line-height:1.5rem;color:inherit}
.today .date b{display:inline-block;min-width:1.6em;margin:-.3em 0 -.3em -.3em;border-radius:1em;text-align:center;line-height:1.6;
background:var(--deep);color:var(--on-deep)}
.about{color:var(--soft);font-size:.75rem}
.day ul{grid-column:1/-1;display:grid;grid-template-columns:minmax(0,1fr);gap:.1rem}
.day li>*,.day bdi{min-width:0}
.day a{text-decoration:none;font-weight:500}
.day a:hover{text-decoration:underline}
.line,.run,.run a{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .4rem}
.day li a{min-height:1.5rem;align-content:center}
:where(.day li)>a{display:inline-block}
.line a{flex:1}
.line:has(.tag) a{flex:1 0 100%}
.line a.number{color:var(--ink)}
.day .soft .number,.day .soft .money{white-space:normal}
.line>.soft{flex:1 0 100%;margin-top:-.15rem}
.run{font-size:.75rem;color:var(--soft)}
.run a{color:var(--soft);font-weight:400}
.day .tag{padding:0;background:none;font-size:inherit}
.day .tag::before{content:"";display:inline-block;width:.5rem;height:.5rem;margin-right:.3rem;border:1.5px solid currentColor;border-radius:50%;background:currentColor}
.ahead .tag::before{background:none}
.day li.soft,.line>.soft{font-size:.75rem;line-height:1.35}
@media (max-width:51.99rem){
.day{grid-template-columns:2.5rem minmax(0,1fr);padding:.6rem .9rem;border-top:1px solid var(--line)}
.quiet,.about:has(+ul):not(.closed .about),.month:not(:has(.day:not(.quiet))){display:none}
.month:not(:has(.day:not(.quiet)))+.nothing{display:block;margin-top:1rem}
.date{grid-row:1/span 2;line-height:1.3}
.date span{display:block;font-size:.75rem;color:var(--soft)}
.date b{font-size:1.0625rem;margin-top:0!important}
.day ul{grid-column:2}
.day .line a{min-width:auto;max-width:100%}
.line>span:not(.item,.soft){margin-left:auto}
}
@media (min-width:52rem){
.weekdays,.month{display:grid;grid-template-columns:repeat(5,minmax(0,5fr)) repeat(2,minmax(0,4fr))}
.weekdays{margin-top:1rem;font-size:.75rem;font-weight:600;color:var(--soft)}
.weekdays li{padding:0 .6rem}
.weekdays+.month{margin-top:.25rem}
.day{margin:0 1px 1px 0;padding:.4rem .6rem .5rem;box-shadow:0 0 0 1px var(--line)}
.month .item{display:none}
.day:not(.quiet){min-height:6rem}
.date span{position:absolute;clip-path:inset(50%)}
.about{text-align:right}
.quiet .date{color:var(--soft)}
.line{font-size:.75rem}
.line a{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;line-height:1.5rem}
${[2, 3, 4, 5, 6, 7].map((day) => `.from-${day}:first-child{grid-column-start:${day}}`).join('\n')}
}
`;
