import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';

export const PT: Messages = {
  payment: 'Pagamento',
  paymentTo: 'Pagamento a',
  payableUntil: (date) => `Pode ser pago até ${date}.`,
  testMode: 'Modo de teste',
  testModeNotice: 'Não é cobrado dinheiro real.',
  errorPrefix: 'Erro',
  optional: 'opcional',
  form: {
    method: 'Como deseja pagar?',
    oneMethod: 'Forma de pagamento',
    country: 'País a partir do qual paga',
    chooseCountry: 'Escolha um país',
    email: 'Endereço de e-mail',
    pay: (amount) => `Pagar ${amount}`,
    redirectNotice: 'O pagamento é feito na página segura do prestador de pagamentos, que se abre a seguir.',
  },
  fieldErrors: {
    heading: 'Verifique os seus dados',
    method: 'Escolha uma destas formas de pagamento.',
    country: 'Escolha o país a partir do qual paga.',
    email: 'Indique um endereço de e-mail, por exemplo nome@example.com.',
    input: 'Os dados não foram aceites. Verifique e escreva novamente.',
  },
  notices: {
    declined: 'O seu pagamento não foi concluído',
    canceled: 'O pagamento foi cancelado. Pode começar novamente aqui.',
    stale:
      'Nada foi pago: esta página ficou aberta demasiado tempo ou o seu navegador não guarda cookies. Tente novamente.',
  },
  failures: {
    declined:
      'O seu banco ou o emissor do cartão recusou o pagamento. Tente com outro cartão ou outra forma de pagamento.',
    insufficient_funds: 'A conta não tem saldo suficiente. Tente com outro cartão ou outra conta.',
    limit_exceeded:
      'Um limite do seu cartão ou da sua conta foi ultrapassado. Tente com outro ou fale com o seu banco.',
    expired_card: 'O cartão expirou. Tente com outro cartão.',
    wrong_details: 'Algum dos dados não está correto. Verifique e tente novamente.',
    not_authenticated: 'O seu banco não conseguiu confirmar a sua identidade. Tente novamente.',
    method_not_accepted: 'Este cartão ou esta conta não pode ser usado para este pagamento. Tente com outro.',
    not_completed: 'O pagamento não foi concluído.',
    timed_out: 'O tempo para terminar o pagamento acabou. Pode começar novamente.',
    unavailable: 'O serviço de pagamento não está disponível neste momento. Tente novamente dentro de alguns minutos.',
    not_possible:
      'De momento não é possível pagar desta forma. Escolha outra forma de pagamento ou fale com o vendedor.',
  },
  otherFailures: {
    declined: 'O seu banco ou serviço de pagamento recusou o pagamento. Tente novamente ou pague de outra forma.',
    insufficient_funds: 'A conta não tem saldo suficiente. Tente com outra conta ou pague de outra forma.',
    limit_exceeded: 'Um limite da sua conta foi ultrapassado. Tente com outra ou fale com o seu banco.',
    expired_card: 'Esta forma de pagamento expirou. Tente com outra.',
    method_not_accepted: 'Esta conta não pode ser usada para este pagamento. Tente com outra ou pague de outra forma.',
  },
  methods: {
    card: 'Cartão',
    mobile_money: 'Dinheiro móvel',
    sepa_debit: 'Débito direto SEPA',
    bank_transfer: 'Transferência bancária',
    bank: 'Conta bancária',
    netbanking: 'Banco on-line',
    ussd: 'Código USSD por telefone',
    qr: 'Código QR',
    eft: 'EFT',
    pay_later: 'Pagar mais tarde',
    cash: 'Dinheiro',
  },
  redirecting: {
    heading: 'A seguir para o pagamento',
    text: 'A página segura do prestador de pagamentos abre-se automaticamente. Se não abrir, use o botão.',
    continue: 'Continuar para o pagamento',
  },
  resumed: {
    heading: 'Já começou a pagar',
    text: 'O seu pagamento ainda está aberto. Continue ou escolha outra forma de pagar.',
  },
  collect: {
    otp: { heading: 'Indique o código', text: 'O seu banco enviou-lhe um código, normalmente por SMS.' },
    pin: {
      heading: 'Indique o seu PIN',
      text: 'O seu banco pede o PIN do seu cartão. Ele é transmitido e não é guardado.',
    },
    phone: {
      heading: 'Indique o seu número de telefone',
      text: 'O seu banco pede o número de telefone associado à sua conta.',
    },
    birthday: {
      heading: 'Indique a sua data de nascimento',
      text: 'O seu banco pede-a para confirmar a sua identidade.',
    },
    address: { heading: 'Indique o seu endereço', text: 'O seu banco pede o endereço associado ao seu cartão.' },
    send: 'Continuar',
  },
  fields: {
    otp: 'Código',
    pin: 'PIN',
    phone: 'Número de telefone',
    birthday: 'Data de nascimento',
    address: 'Rua e número',
    city: 'Cidade',
    state: 'Estado ou região',
    zip_code: 'Código postal',
  },
  display: {
    heading: 'Como pagar',
    text: (amount) => `Pague ${amount} com estes dados. Pode deixar esta página aberta ou voltar mais tarde.`,
    checkNow: 'Já paguei, verificar agora',
  },
  displayLabels: {
    account_number: 'Número da conta',
    account_name: 'Titular da conta',
    bank_name: 'Banco',
    bank_code: 'Código do banco',
    branch_code: 'Código da agência',
    reference: 'Referência',
    entity: 'Entidade',
    number: 'Número',
    ussd_code: 'Marque este código no seu telefone',
    code: 'Código de pagamento',
    note: 'Nota',
    expires_at: 'Pagar até',
    instructions: 'Abrir as instruções',
    voucher: 'Abrir o documento de pagamento',
    qr_image: 'Mostrar o código QR',
    app: 'Abrir a sua aplicação de pagamento',
  },
  unsupported: {
    heading: 'Não é possível continuar aqui',
    text: 'Esta forma de pagamento precisa de um passo que esta página não suporta. Escolha outra.',
  },
  approve: {
    heading: 'Aprove o pagamento',
    text: 'Abra a aplicação do seu banco ou de pagamento, ou veja o seu telefone, e aprove o pagamento.',
  },
  processing: {
    heading: 'O seu pagamento está em processamento',
    text: 'Costuma demorar alguns segundos e pode demorar alguns minutos. Não pague uma segunda vez.',
  },
  waiting: {
    autoRefresh: (seconds) => `Esta página é atualizada automaticamente a cada ${seconds} segundos.`,
    paused: 'A atualização automática está desativada.',
    refreshNow: 'Atualizar agora',
    stopRefresh: 'Desativar a atualização automática',
    resumeRefresh: 'Reativar a atualização automática',
  },
  payAnotherWay: 'Pagar de outra forma',
  succeeded: {
    heading: 'Obrigado pelo seu pagamento',
    text: 'O seu pagamento foi efetuado. Pode fechar esta página.',
    amount: 'Valor',
    date: 'Data',
    reference: 'Número do pagamento',
  },
  overpaid: {
    heading: 'O seu pagamento será reembolsado',
    text: 'Já estava pago quando o seu pagamento chegou. Recebe o valor total de volta e não precisa de fazer nada.',
  },
  failed: {
    heading: 'O seu pagamento não foi concluído',
    text: 'Aqui já não é possível pagar. Se ainda deseja pagar, peça um novo link ao vendedor.',
  },
  stopped: {
    heading: 'Interrompeu o pagamento',
    text: 'Não está concluído. Pode tentar novamente ou pagar de outra forma.',
    here: 'Não está concluído. Pode tentar novamente aqui.',
    ifPaid: 'Se já pagou, não pague outra vez. Verifique primeiro:',
  },
  unconfirmed: {
    heading: 'O seu pagamento ainda não está confirmado',
    text:
      'O prestador ainda não nos disse como terminou. Aguarde um momento e depois verifique. Não pague outra vez ' +
      'antes disso.',
  },
  refunded: {
    heading: 'O seu pagamento foi reembolsado',
    text: 'O dinheiro volta para onde veio. Consoante o banco, pode demorar alguns dias.',
    amount: 'Reembolsado',
  },
  review: {
    heading: 'O seu pagamento está a ser verificado',
    text: 'Uma pessoa está a analisá-lo. Não pague outra vez. Se tiver perguntas, fale com o vendedor.',
  },
  canceled: {
    heading: 'Este pagamento foi cancelado',
    text: 'Nada mais será cobrado. Se ainda deseja pagar, comece novamente na loja.',
  },
  unfinished: { heading: 'O seu pagamento ainda não está concluído', text: 'Volte à loja para continuar.' },
  afterFailure: {
    again: 'Pode tentar novamente aqui.',
    shop: 'Se ainda deseja pagar, comece novamente na loja ou fale com o vendedor.',
    invoice: 'Pertence a uma subscrição ou a uma fatura. Pergunte ao vendedor como a pode pagar.',
  },
  seller: { name: 'Vendedor', questions: 'Perguntas sobre este pagamento?', back: 'Voltar à loja' },
  closed: {
    paid: { heading: 'Já está pago', text: 'O pagamento foi efetuado. Não falta pagar nada.' },
    completed: {
      heading: 'Este link não aceita mais pagamentos',
      text: 'Atingiu o número máximo de pagamentos. Se deseja pagar, peça um novo link ao vendedor.',
    },
    expired: { heading: 'Este link expirou', text: 'Se ainda deseja pagar, peça um novo link ao vendedor.' },
    inactive: {
      heading: 'Este link já não é válido',
      text: 'O vendedor desativou-o. Se deseja pagar, peça-lhe um novo link.',
    },
    busy: {
      heading: 'Outra pessoa está a pagar agora',
      text: 'Se ela não terminar, poderá pagar aqui. Tente novamente dentro de alguns minutos.',
    },
    unavailable: {
      heading: 'Não é possível pagar neste momento',
      text:
        'O vendedor não tem nenhum meio configurado para aceitar este pagamento. Nada foi cobrado. ' +
        'Contacte o vendedor.',
    },
  },
  expiredOn: (date) => `Expirou em ${date}.`,
  errors: {
    400: {
      heading: 'Não funcionou',
      text: 'O que o seu navegador enviou não pôde ser lido. Volte atrás e tente novamente.',
    },
    403: { heading: 'Não funcionou', text: 'Esta página ficou aberta demasiado tempo. Abra o link outra vez.' },
    404: {
      heading: 'Esta página não existe',
      text: 'Verifique se o endereço está completo ou peça um novo link ao vendedor.',
    },
    413: {
      heading: 'Demasiados dados',
      text: 'O que o seu navegador enviou é demasiado grande. Volte atrás e tente novamente.',
    },
    429: { heading: 'Demasiadas tentativas', text: 'Houve demasiados pedidos a partir da sua ligação.' },
    500: {
      heading: 'Algo correu mal',
      text: 'A falha é nossa. Se já pagou, não pague outra vez: abra o link novamente um pouco mais tarde.',
    },
  },
  tryAgain: 'Tentar novamente',
  tryAgainIn: (when) => `Tente novamente ${when}.`,
};
