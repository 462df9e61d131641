/** The drop of the bank, in its green: an SVG. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#14503c" d="M5 0a5 5 0 1 1-5 5V0z"/></svg>';
