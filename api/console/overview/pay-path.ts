/** The page that makes a payment, below `/console`. */
export const payPath = '/pay';
