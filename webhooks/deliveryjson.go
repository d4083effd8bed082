package webhooks

import "errors"

// MarshalJSON refuses: what a delivery says depends on the receiver's Deployment,
// and its key is the receiver's. Store Key and Raw, or use an [Inbox].
func (d Delivery) MarshalJSON() ([]byte, error) {
	return nil, errors.New("webhooks: a Delivery is not marshalled: store its Key and Raw")
}
