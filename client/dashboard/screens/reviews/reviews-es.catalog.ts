import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

export const ES: ReviewMessages = {
  title: 'Revisiones',
  subtitle: 'Pagos sobre los que debe decidir una persona. Lo que más espera está arriba.',
  emptyTitle: 'Nada que revisar',
  emptyText: 'Aquí aparece un pago cuando su proveedor cobró otro importe o nunca dijo qué fue de él.',
  list: 'Pagos en revisión',
  payment: 'Pago',
  reason: 'Motivo',
  status: 'Estado',
  waiting: 'Espera desde',
  deadline: 'Capturar antes de',
  provider: 'Proveedor',
  overdue: 'Vencido',
  end: 'Terminar revisión',
  endTitle: '¿Terminar esta revisión?',
  ended: 'La revisión ha terminado.',
  checkFirst: (provider) => `Mire primero en el panel de ${provider}: lo que vea allí decide.`,
  willCancel: (provider) => `El pago se cancela. Si ${provider} cobró dinero por él, se reembolsa una vez.`,
  willStay: (provider) =>
    `El pago conserva su estado. El dinero que ${provider} haya cobrado de más se reembolsa una vez.`,
  willFailRefund: (amount) => `El reembolso de ${amount} cuenta como fallido y su importe puede reembolsarse de nuevo.`,
  willLeaveRefund: (amount) => `El reembolso de ${amount} queda como está y deja de seguirse.`,
  willFailCapture: (amount) => `La captura de ${amount} cuenta como fallida y su importe puede capturarse de nuevo.`,
  reasons: {
    no_verdict: { name: 'Sin respuesta', hint: 'El proveedor nunca dijo qué fue de él.' },
    amount_mismatch: { name: 'Otro importe', hint: 'El proveedor cobró un importe distinto.' },
    refund_failed: { name: 'Reembolso fallido', hint: 'No se pudo reembolsar dinero no deseado.' },
    capture_failed: {
      name: 'Captura fallida',
      hint: 'El proveedor lo dio por pagado y después no pudo capturar el dinero.',
    },
  },
};
