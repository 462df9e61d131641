/** The funds of an account. */
export const accountStyles = `
.funds .facts{padding-block:1rem;align-items:end}
.funds div:first-child dd{font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.02em}
@media (min-width:48rem){
.funds .facts{grid-template-columns:minmax(0,max-content) repeat(3,minmax(0,1fr))}
}
@media (max-width:30rem){
.funds div:first-child{grid-column:1/-1}
}
`;
