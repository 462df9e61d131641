/** The paths of the interface, as banks publish them and as a Sandbank has them: what stands before `/v1`. */
export const interfacePath = /^(?:\/banks\/[^/?]+)?(?:\/api(?:-sandbox)?)?(?=\/v1(?:[/?]|$))/;
