// Written by `npm run client` from the route table. Do not edit.

export const VERSION = '0.1.0';
