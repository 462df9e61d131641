/** The page of `GET /sandbox/when`. */
export const whenStyles = `
.asked{font-size:1.125rem;line-height:1.5;max-width:46rem;margin-top:.75rem;text-wrap:balance}
.asked strong{white-space:nowrap}
.known{font-size:.75rem;color:var(--soft);margin-left:.15rem}
a.known{color:var(--deep)}
.missed-word{color:var(--red);font-weight:600}
td details{margin:0}
`;
