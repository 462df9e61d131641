/** The page of a month, and of its days and runs. */
export const calendarStyles = `
.weekdays,.month,.slots{list-style:none}
.weekdays{display:none}
.month{margin-top:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
.day{padding:.5rem .75rem;border-top:1px solid var(--line);min-width:0}
.day:first-child{border-top:0}
.day.closed{background:var(--closed)}
.day.today{box-shadow:inset 3px 0 0 var(--deep)}
.date{display:flex;gap:.5rem;justify-content:space-between;align-items:baseline;font-weight:600}
.date .tag{font-size:.75rem}
.slots{font-size:.8125rem;margin-top:.25rem;display:flex;flex-wrap:wrap;gap:0 .5rem}
.slots li{display:flex;gap:.4rem;align-items:baseline;min-width:0}
.slots .item{display:none}
.slots .at{color:var(--soft)}
.slots .what,.slots a{display:flex;flex-wrap:wrap;gap:.15rem .25rem;min-width:0}
.slots :is(a,.tag){font-size:.75rem}
.slots a{min-height:1.5rem;align-items:center;white-space:normal;overflow-wrap:anywhere}
.slots .idle{display:inline-flex;margin-right:.35rem}
.idle .what{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.slots a{text-decoration:none;font-weight:600}
.slots .what>span:not(.soft){flex:1 0 100%}
.slots .what>span a{display:inline;padding-block:.35rem}
.slots a:hover .tag{text-decoration:underline}
.ahead .tag{background:none;border:1px dashed currentColor}
.move .soft{font-size:.75rem}
.move{font-size:.8125rem;margin-top:.35rem;padding-top:.35rem;border-top:1px dashed var(--line)}
@media (max-width:51.99rem){
.slots li:not(.idle){flex:1 0 100%}
.slots .at{flex:0 0 2.5rem}
.slots :is(a,.tag){font-size:.8125rem}
}
@media (min-width:52rem){
.weekdays,.month{display:grid;grid-template-columns:repeat(5,minmax(0,5fr)) repeat(2,minmax(0,4fr))}
.weekdays{margin-top:1rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
.weekdays li{padding:0 .6rem}
.weekdays+.month{margin-top:.25rem}
.day{border-right:1px solid var(--line);border-bottom:1px solid var(--line);margin-bottom:-1px;padding:.4rem .6rem .5rem;min-height:7rem}
.day:nth-child(n){border-top:1px solid var(--line)}
.weekday{display:none}
.slots{display:block;font-size:.75rem;line-height:1.4}
.slots li{flex-wrap:wrap;row-gap:0}
.slots .what{flex:1 1 min-content}
.slots .what>*{min-width:0;max-width:100%}
.slots a{overflow-wrap:break-word}
.from-2:first-child{grid-column-start:2}
.from-3:first-child{grid-column-start:3}
.from-4:first-child{grid-column-start:4}
.from-5:first-child{grid-column-start:5}
.from-6:first-child{grid-column-start:6}
.from-7:first-child{grid-column-start:7}
}
`;
