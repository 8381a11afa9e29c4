/**
 * Logical ids of everything that holds data, the same in both stages. CloudFormation knows a resource by its id alone: a
 * construct that moves or gets another name changes it, and the new one is empty.
 */
export const STATE_IDS = [
  'Table710B521B',
  'KeyshashSecretB334E25F',
  'KeyspspB80EC08D',
  'KeysrecoverySecretCB57DA5E',
  'Keyssecrets32F890FF',
  'KeystokenSecretCB93BEB4',
  'Logsabtests533D125C',
  'LogsaccessAF316633',
  'LogsapikeysE9FD8CC7',
  'Logsauth75A96560',
  'Logsconnections52819CA7',
  'LogsdisputesCAA69825',
  'Logshealth500E83B7',
  'Logshostedpages2BA3617C',
  'Logsinvoices4E5FF60E',
  'Logsopenapi5DAE7313',
  'LogsorganizationsABFEF2A2',
  'Logspaymentactions121637C9',
  'Logspaymentlinks266CA236',
  'Logspayments55FC64D7',
  'LogsplatformE73CE6F3',
  'Logspolicies3FBEAE62',
  'Logsprobe63DE3273',
  'LogsprojectorF3D00B45',
  'LogspspwebhooksB3ACC921',
  'LogsrelayC9CC5C80',
  'Logsrenewals91F31447',
  'Logsroutingrules66F84C0A',
  'Logsslowdeliveries00723499',
  'LogssubscriptionsC40DDFD3',
  'Logstimers27E2D47E',
  'LogswebhookdeliveryC8B33F22',
  'LogswebhooksDBD8943F',
  'LogsworkflowrunsD52404A7',
  'Logsworkflows71F93A17',
  'DeadLettersbusE9E5D96B',
  'DeadLettersstream96F1278F',
  'DeadLetterstimers69006E51',
  'DeadLetterswebhookdeliveryCAAE6ED1',
] as const;

/** Only live has copies that outlive its table. */
export const LIVE_STATE_IDS = ['BackupVaultADF21B19'] as const;
