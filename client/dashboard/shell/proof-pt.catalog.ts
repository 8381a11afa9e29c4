import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

export const PT: ProofMessages = {
  title: 'Confirme que é você',
  why: 'Esta alteração precisa de uma prova de identidade com menos de 10 minutos. Depois, você continua de onde parou.',
  noPasskeys:
    'Sua conta precisa aqui de uma chave de acesso, e este navegador não tem nenhuma. Abra o painel no dispositivo que a tem.',
  usePasskey: 'Usar uma chave de acesso',
  declined: 'Nenhuma chave de acesso foi usada. Tente novamente.',
  code: 'Código',
  codeHint: 'Seis dígitos do seu aplicativo autenticador ou um código de recuperação.',
  sendLink: (email) => `Enviar um link para ${email}`,
  linkSent: (email) => `Enviamos um link para ${email}. Abra-o neste navegador e confirme aqui.`,
  link: 'Ou cole o link',
  linkHint: 'Se você lê seus e-mails em outro dispositivo.',
  confirm: 'Confirmar',
};
