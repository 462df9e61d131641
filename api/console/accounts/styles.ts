/** The funds of an account. */
export const accountStyles = `
.funds .facts{padding-block:1rem;align-items:end}
.funds div:first-child dd{font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.02em}
@media (max-width:30rem){
.funds div:first-child{grid-column:1/-1}
}
`;
