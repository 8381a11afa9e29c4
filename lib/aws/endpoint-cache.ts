/**
 * Stands for `@aws-sdk/endpoint-cache` in bundles. DynamoDB's client makes one at its start and only uses it where it
 * is told to ask for its endpoints, which no function is: 8 kB and two packages less.
 */
export class EndpointCache {}
