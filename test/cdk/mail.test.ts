import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { ServiceMail } from '#lib/aws/constructs/mail.construct.ts';
import { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';
import { bareApp } from '#test/cdk/deployed.support.ts';

const LINE = { timeoutSeconds: 10, memoryMb: 128, table: 'reads', macs: [] } as const;

/** A function as its stack makes it, in a stage with this sender. */
function deployed(mails: boolean, from: string | undefined) {
  const stack = new Stack(bareApp(), 'Stack', { env: { account: '111122223333', region: 'eu-central-1' } });
  const line = { ...LINE, mails };
  const mail = new ServiceMail(stack, 'Mail', { from });
  const code = Code.fromInline('-');
  const made = new ServiceFunction(stack, 'auth', {
    line,
    code,
    environment: {},
    names: resourceNames('ServiceLive'),
    alarms: new ServiceAlarms(stack, 'Alarms'),
  });
  mail.grant(made, line);
  const template = Template.fromStack(stack);
  const [lambda] = Object.values(template.findResources('AWS::Lambda::Function'));
  const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
    ({ Properties: p }) => p.PolicyDocument.Statement,
  );
  return {
    from: lambda?.Properties.Environment?.Variables.MAIL_FROM,
    mayMail: statements.filter(({ Action }) => String(Action).includes('ses:')),
  };
}

describe('mail', () => {
  it('can be sent by a function whose line says so, from one address', () => {
    const { from, mayMail } = deployed(true, 'pay@mail.example.com');
    expect(from).toBe('pay@mail.example.com');
    expect(mayMail).toMatchObject([
      {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Condition: { StringEquals: { 'ses:FromAddress': 'pay@mail.example.com' } },
      },
    ]);
    const identities = mayMail[0].Resource.map((arn: object) => /identity\/[^"]+/.exec(JSON.stringify(arn))?.[0]);
    expect(identities).toEqual(['identity/pay@mail.example.com', 'identity/mail.example.com']);
  });

  it.each([
    ['warns', undefined, 1],
    ['does not warn', 'pay@example.com', 0],
  ])('%s at synth where the stage sends no mail', (_, from, times) => {
    const stack = new Stack(bareApp(), 'Stack');
    new ServiceMail(stack, 'Mail', { from });
    const warnings = Annotations.fromStack(stack).findWarning(
      '*',
      Match.stringLikeRegexp('sends no mail.*mail: . from'),
    );
    expect(warnings).toHaveLength(times);
  });

  it.each([
    ['by another function', false, 'pay@example.com'],
    ['without a sender’s address', true, undefined],
  ])('cannot be sent %s', (_, mails, from) => expect(deployed(mails, from)).toEqual({ from: undefined, mayMail: [] }));
});
