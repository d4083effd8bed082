package observe

import "time"

// Handle is one call of a webhook receiver's handler.
type Handle struct {
	Delivery string // key of the delivery
}

// HandleEnd is how a [Handle] ended.
type HandleEnd struct {
	Err error // the handler's; a panic is an error
}

// DeliveryVerified says that a webhook delivery has the service's signature.
type DeliveryVerified struct {
	Delivery string
}

// DeliveryRefused says that a request to the receiver was refused.
type DeliveryRefused struct {
	StatusCode int // that the receiver answered
	Err        error
}

// DeliveryDuplicate says that a delivery was handled before.
type DeliveryDuplicate struct {
	Delivery string
}

// DeliveryRetried says that a delivery failed and comes again: the service repeats
// it, or a worker of the receiver's queue does.
type DeliveryRetried struct {
	Delivery string
	Failures int           // so far
	Wait     time.Duration // of the queue or the inbox; 0 if the service repeats it
	Err      error
}

// DeliveryDead says that a delivery kept failing and went to the dead-letter
// function, or is kept by the inbox as dead.
type DeliveryDead struct {
	Delivery string
	Cause    error // of the last failure
	Err      error // of the dead-letter function: if it is not nil, the delivery may be lost
}

func (Handle) operation() {}
func (HandleEnd) end()    {}

func (DeliveryVerified) event()  {}
func (DeliveryRefused) event()   {}
func (DeliveryDuplicate) event() {}
func (DeliveryRetried) event()   {}
func (DeliveryDead) event()      {}
