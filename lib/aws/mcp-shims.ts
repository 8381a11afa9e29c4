import process from 'node:process';

/** This file takes the place of one of the library that exports these two. */
export { process };

/**
 * The protocol's library brings a validator of JSON schemas of 300 kB, which would check what agents' clients answer to
 * forms. Our tools show no form, and the API validates their input.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('No tool of this service asks for a form.');
  }
}
