package smartaccount

// Status is the state of a resource. Which states a revoked session, a deleted
// policy and a cancelled debit or subscription take is not documented, nor
// what a transaction can be beside confirmed: others than these may come.
type Status string

// The documented states.
const (
	StatusActive    Status = "active"    // every resource but a transaction starts so
	StatusPaused    Status = "paused"    // a subscription that takes no payments until it is resumed
	StatusConfirmed Status = "confirmed" // a transaction that the ledger has executed
)

// Frequency is how often a merchant may debit or is paid. Others than the
// constant exist and are not documented.
type Frequency string

// FrequencyMonthly is once a month.
const FrequencyMonthly Frequency = "monthly"
