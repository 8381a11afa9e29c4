import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

export const PT: ReviewMessages = {
  title: 'Revisões',
  subtitle: 'Pagamentos sobre os quais uma pessoa deve decidir. O que espera há mais tempo vem primeiro.',
  emptyTitle: 'Nada para rever',
  emptyText: 'Um pagamento aparece aqui quando o provedor cobrou outro valor ou nunca disse o que aconteceu.',
  list: 'Pagamentos em revisão',
  payment: 'Pagamento',
  reason: 'Motivo',
  status: 'Estado',
  waiting: 'À espera desde',
  deadline: 'Capturar até',
  provider: 'Provedor',
  overdue: 'Em atraso',
  end: 'Encerrar revisão',
  endTitle: 'Encerrar esta revisão?',
  ended: 'A revisão foi encerrada.',
  checkFirst: (provider) => `Veja primeiro no painel de ${provider}: o que lá estiver decide.`,
  willCancel: (provider) => `O pagamento é cancelado. Se ${provider} cobrou algum valor, é reembolsado uma vez.`,
  willStay: (provider) => `O pagamento mantém o seu estado. O que ${provider} cobrou a mais é reembolsado uma vez.`,
  willFailRefund: (amount) => `O reembolso de ${amount} conta como falhado e o valor pode ser reembolsado de novo.`,
  willLeaveRefund: (amount) => `O reembolso de ${amount} fica como está e deixa de ser acompanhado.`,
  willFailCapture: (amount) => `A captura de ${amount} conta como falhada e o valor pode ser capturado de novo.`,
  reasons: {
    no_verdict: { name: 'Sem resposta', hint: 'O provedor nunca disse o que aconteceu.' },
    amount_mismatch: { name: 'Outro valor', hint: 'O provedor cobrou um valor diferente.' },
    refund_failed: { name: 'Reembolso falhado', hint: 'Não foi possível reembolsar dinheiro indesejado.' },
    capture_failed: {
      name: 'Captura falhada',
      hint: 'O provedor deu-o como pago e depois não conseguiu capturar o valor.',
    },
  },
};
