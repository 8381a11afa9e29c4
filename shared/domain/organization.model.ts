export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly kyc: 'pending' | 'approved' | 'rejected';
  readonly plan: 'free' | 'growth' | 'scale';
  readonly created_at: string;
};
