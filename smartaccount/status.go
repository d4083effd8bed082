package smartaccount

import "github.com/walletfi/walletfi-go/internal/wire"

// Status is the state of a resource. The states of revoked sessions, deleted
// policies, cancelled debits and subscriptions, and of transactions that are
// not confirmed are not documented: other values can arrive. A documented one in another
// case is read as the constant.
type Status string

// The documented states.
const (
	StatusActive    Status = "active"    // initial state of every resource except a transaction
	StatusPaused    Status = "paused"    // a subscription without payments until it is resumed
	StatusConfirmed Status = "confirmed" // a transaction that the ledger executed
)

func init() { wire.Words(StatusActive, StatusPaused, StatusConfirmed) }

func (s Status) isActive() bool { return s == StatusActive }

// Frequency is how often a merchant may debit or is paid. Undocumented values
// exist.
type Frequency string

// FrequencyMonthly is once a month.
const FrequencyMonthly Frequency = "monthly"

func init() { wire.Words(FrequencyMonthly) }
