import { shellStyles } from '../pages/styles.ts';

/**
 * The stylesheet of `/docs`, which comes after that of Swagger UI: the shell of all pages, and room for the calls. Swagger UI is light only, so the
 * calls stay on white paper in dark mode.
 */
export const docsStyles = `${shellStyles}
main,footer{max-width:min(80rem,100% - 2rem)}
.skip{position:absolute;left:-100vw}
.skip:focus{position:static}
.documents{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-top:1.25rem;padding:0;list-style:none}
.documents [aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
.token{margin-top:1.25rem}
.token label{display:block;font-weight:600}
.token input{width:100%;max-width:25rem;font:inherit;padding:.4rem .75rem;border:1.5px solid var(--field);
border-radius:.5rem;background:var(--paper);color:inherit}
.token p{color:var(--soft);font-size:.9375rem}
#calls{margin-top:1.5rem;overflow-wrap:break-word}
#calls main{max-width:none;margin:0;padding:0;border:0}
#calls .wrapper{padding:0}
#calls .info{margin:1rem 0}
#calls .info hgroup,#calls .scheme-container,#calls .response-col_links{display:none}
@media (prefers-color-scheme:dark){
#calls{color-scheme:light;--ink:#1c2521;--soft:#56625c;--paper:#fff;--deep:#14503c;background:#fff;color:var(--ink);padding:1rem;
border-radius:.5rem}
}
@media (max-width:40rem){
main,footer{max-width:none}
#calls .opblock-tag,#calls .opblock-section-header,#calls .opblock-summary{flex-wrap:wrap}
#calls .opblock-tag small{padding-left:0}
#calls table.responses-table,#calls table.responses-table tbody,#calls table.responses-table tr,
#calls table.responses-table td{display:block;width:auto}
#calls table.responses-table thead{display:none}
#calls .opblock-summary-path{max-width:none}
#calls .parameters-col_description input,#calls .parameters-col_description select{width:100%}
#calls table.parameters,#calls table.parameters tbody,#calls table.parameters tr,#calls table.parameters td{display:block}
#calls table.parameters thead{display:none}
}
`;
