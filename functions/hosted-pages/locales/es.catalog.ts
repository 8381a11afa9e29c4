import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';

export const ES: Messages = {
  payment: 'Pago',
  paymentTo: 'Pago a',
  payableUntil: (date) => `Se puede pagar hasta el ${date}.`,
  testMode: 'Modo de prueba',
  testModeNotice: 'No se cobra dinero real.',
  errorPrefix: 'Error',
  optional: 'opcional',
  form: {
    method: '¿Cómo desea pagar?',
    oneMethod: 'Forma de pago',
    country: 'País desde el que paga',
    chooseCountry: 'Elija un país',
    email: 'Correo electrónico',
    pay: (amount) => `Pagar ${amount}`,
    redirectNotice: 'Usted paga en la página segura del proveedor de pagos, que se abre a continuación.',
  },
  fieldErrors: {
    heading: 'Revise sus datos',
    method: 'Elija una de estas formas de pago.',
    country: 'Elija el país desde el que paga.',
    email: 'Escriba un correo electrónico, por ejemplo nombre@example.com.',
    input: 'No se ha aceptado. Revíselo y escríbalo de nuevo.',
  },
  notices: {
    declined: 'Su pago no se ha realizado',
    canceled: 'Ha cancelado el pago. Puede empezar de nuevo aquí.',
    stale:
      'No se ha pagado nada: esta página llevaba demasiado tiempo abierta o su navegador no guarda ' +
      'cookies. Inténtelo de nuevo.',
  },
  failures: {
    declined: 'Su banco o el emisor de la tarjeta ha rechazado el pago. Pruebe con otra tarjeta u otra forma de pago.',
    insufficient_funds: 'No hay saldo suficiente en la cuenta. Pruebe con otra tarjeta o cuenta.',
    limit_exceeded: 'Se ha superado un límite de su tarjeta o cuenta. Pruebe con otra o consulte a su banco.',
    expired_card: 'La tarjeta está caducada. Pruebe con otra.',
    wrong_details: 'Alguno de los datos no es correcto. Revíselo e inténtelo de nuevo.',
    not_authenticated: 'Su banco no ha podido confirmar que es usted. Inténtelo de nuevo.',
    method_not_accepted: 'Esta tarjeta o cuenta no sirve para este pago. Pruebe con otra.',
    not_completed: 'El pago no se ha completado.',
    timed_out: 'Se ha acabado el tiempo para terminar el pago. Puede empezar de nuevo.',
    unavailable: 'El servicio de pago no está disponible en este momento. Inténtelo de nuevo en unos minutos.',
    not_possible: 'Ahora mismo no se puede pagar de esta forma. Elija otra forma de pago o pregunte al vendedor.',
  },
  otherFailures: {
    declined: 'Su banco o su servicio de pago ha rechazado el pago. Inténtelo de nuevo o pague de otra forma.',
    insufficient_funds: 'No hay saldo suficiente en la cuenta. Pruebe con otra cuenta o pague de otra forma.',
    limit_exceeded: 'Se ha superado un límite de su cuenta. Pruebe con otra o consulte a su banco.',
    expired_card: 'Esta forma de pago ha caducado. Pruebe con otra.',
    method_not_accepted: 'Esta cuenta no sirve para este pago. Pruebe con otra o pague de otra forma.',
  },
  methods: {
    card: 'Tarjeta',
    mobile_money: 'Dinero móvil',
    sepa_debit: 'Adeudo directo SEPA',
    bank_transfer: 'Transferencia bancaria',
    bank: 'Cuenta bancaria',
    netbanking: 'Banca en línea',
    ussd: 'Código USSD por teléfono',
    qr: 'Código QR',
    eft: 'EFT',
    pay_later: 'Pagar más tarde',
    cash: 'Efectivo',
  },
  redirecting: {
    heading: 'Le llevamos al pago',
    text: 'La página segura del proveedor de pagos se abre automáticamente. Si no se abre, use el botón.',
    continue: 'Continuar al pago',
  },
  resumed: {
    heading: 'Ha empezado un pago',
    text: 'Su pago sigue abierto. Continúe con él o elija otra forma de pagar.',
  },
  collect: {
    otp: { heading: 'Escriba el código', text: 'Su banco le ha enviado un código, normalmente por SMS.' },
    pin: { heading: 'Escriba su PIN', text: 'Su banco pide el PIN de su tarjeta. Se transmite y no se guarda.' },
    phone: {
      heading: 'Escriba su número de teléfono',
      text: 'Su banco pide el número de teléfono asociado a su cuenta.',
    },
    birthday: { heading: 'Escriba su fecha de nacimiento', text: 'Su banco la pide para confirmar que es usted.' },
    address: { heading: 'Escriba su dirección', text: 'Su banco pide la dirección asociada a su tarjeta.' },
    send: 'Continuar',
  },
  fields: {
    otp: 'Código',
    pin: 'PIN',
    phone: 'Número de teléfono',
    birthday: 'Fecha de nacimiento',
    address: 'Calle y número',
    city: 'Ciudad',
    state: 'Estado o región',
    zip_code: 'Código postal',
  },
  display: {
    heading: 'Cómo pagar',
    text: (amount) => `Pague ${amount} con estos datos. Puede dejar esta página abierta o volver más tarde.`,
    checkNow: 'Ya he pagado, comprobar ahora',
  },
  displayLabels: {
    account_number: 'Número de cuenta',
    account_name: 'Titular de la cuenta',
    bank_name: 'Banco',
    bank_code: 'Código del banco',
    branch_code: 'Código de la sucursal',
    reference: 'Referencia',
    entity: 'Entidad',
    number: 'Número',
    ussd_code: 'Marque este código en su teléfono',
    code: 'Código de pago',
    note: 'Nota',
    expires_at: 'Pagar antes del',
    instructions: 'Abrir las instrucciones',
    voucher: 'Abrir el cupón de pago',
    qr_image: 'Mostrar el código QR',
    app: 'Abrir su aplicación de pago',
  },
  unsupported: {
    heading: 'Aquí no se puede continuar',
    text: 'Esta forma de pago necesita un paso que esta página no admite. Elija otra, por favor.',
  },
  approve: {
    heading: 'Apruebe el pago',
    text: 'Abra la aplicación de su banco o de pago, o mire su teléfono, y apruebe el pago allí.',
  },
  processing: {
    heading: 'Su pago se está procesando',
    text: 'Suele tardar unos segundos y puede tardar algunos minutos. Por favor, no pague por segunda vez.',
  },
  waiting: {
    autoRefresh: (seconds) => `Esta página se actualiza automáticamente cada ${seconds} segundos.`,
    paused: 'La actualización automática está desactivada.',
    refreshNow: 'Actualizar ahora',
    stopRefresh: 'Desactivar la actualización automática',
    resumeRefresh: 'Reactivar la actualización automática',
  },
  payAnotherWay: 'Pagar de otra forma',
  succeeded: {
    heading: 'Gracias por su pago',
    text: 'Su pago se ha realizado correctamente. Puede cerrar esta página.',
    amount: 'Importe',
    date: 'Fecha',
    reference: 'Número de pago',
  },
  overpaid: {
    heading: 'Se le reembolsará su pago',
    text: 'Ya estaba pagado cuando llegó su pago. Se le reembolsará por completo; no tiene que hacer nada.',
  },
  failed: {
    heading: 'Su pago no se ha realizado',
    text: 'Aquí ya no se puede pagar. Si todavía desea pagar, pida un enlace nuevo al vendedor.',
  },
  stopped: {
    heading: 'Ha interrumpido el pago',
    text: 'No se ha completado. Puede intentarlo de nuevo o pagar de otra forma.',
    here: 'No se ha completado. Puede intentarlo de nuevo aquí.',
    ifPaid: 'Si ya ha pagado, no pague otra vez. Compruébelo primero:',
  },
  unconfirmed: {
    heading: 'Su pago aún no está confirmado',
    text:
      'El proveedor no nos ha dicho todavía cómo ha terminado. Espere un momento y compruébelo. No pague otra vez ' +
      'antes.',
  },
  refunded: {
    heading: 'Su pago se ha reembolsado',
    text: 'El dinero vuelve al lugar de donde vino. Según su banco, puede tardar unos días.',
    amount: 'Reembolsado',
  },
  review: {
    heading: 'Su pago se está revisando',
    text: 'Una persona lo está mirando. No pague otra vez. Si tiene preguntas, consulte al vendedor.',
  },
  canceled: {
    heading: 'Este pago se ha cancelado',
    text: 'No se cobrará nada más. Si todavía desea pagar, empiece de nuevo en la tienda.',
  },
  unfinished: { heading: 'Su pago aún no está completo', text: 'Vuelva a la tienda para continuar.' },
  afterFailure: {
    again: 'Puede intentarlo de nuevo aquí.',
    shop: 'Si todavía desea pagar, empiece de nuevo en la tienda o pregunte al vendedor.',
    invoice: 'Pertenece a una suscripción o a una factura. Pregunte al vendedor cómo pagarla.',
  },
  seller: { name: 'Vendedor', questions: '¿Preguntas sobre este pago?', back: 'Volver a la tienda' },
  closed: {
    paid: { heading: 'Ya está pagado', text: 'El pago se ha realizado. No queda nada por pagar.' },
    completed: {
      heading: 'Este enlace no admite más pagos',
      text: 'Ha alcanzado el número máximo de pagos. Si desea pagar, pida un enlace nuevo al vendedor.',
    },
    expired: { heading: 'Este enlace ha caducado', text: 'Si todavía desea pagar, pida un enlace nuevo al vendedor.' },
    inactive: {
      heading: 'Este enlace ya no es válido',
      text: 'El vendedor lo ha desactivado. Si desea pagar, pídale un enlace nuevo.',
    },
    busy: {
      heading: 'Otra persona está pagando ahora',
      text: 'Si no termina, usted podrá pagar aquí. Inténtelo de nuevo en unos minutos.',
    },
    unavailable: {
      heading: 'Ahora no es posible pagar',
      text:
        'El vendedor no tiene ningún medio para aceptar este pago. No se ha cobrado nada. Póngase en ' +
        'contacto con el vendedor.',
    },
  },
  expiredOn: (date) => `Caducó el ${date}.`,
  errors: {
    400: {
      heading: 'No ha funcionado',
      text: 'No se puede leer lo que ha enviado su navegador. Vuelva atrás e inténtelo de nuevo.',
    },
    403: {
      heading: 'No ha funcionado',
      text: 'Esta página llevaba demasiado tiempo abierta. Abra el enlace otra vez.',
    },
    404: {
      heading: 'Esta página no existe',
      text: 'Compruebe que la dirección está completa o pida un enlace nuevo al vendedor.',
    },
    413: {
      heading: 'Demasiados datos',
      text: 'Lo que ha enviado su navegador es demasiado grande. Vuelva atrás e inténtelo de nuevo.',
    },
    429: { heading: 'Demasiados intentos', text: 'Ha habido demasiadas solicitudes desde su conexión.' },
    500: {
      heading: 'Algo ha fallado',
      text: 'El fallo es nuestro. Si ya ha pagado, no pague otra vez: abra el enlace de nuevo un poco más tarde.',
    },
  },
  tryAgain: 'Intentar de nuevo',
  tryAgainIn: (when) => `Inténtelo de nuevo ${when}.`,
};
