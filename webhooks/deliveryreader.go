package webhooks

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/observe"
)

// DeliveryReader verifies and reads deliveries in the words of a deployment: for a
// server of your own, or for deliveries that were captured. Unlike a [Receiver] it
// handles nothing and remembers nothing. It is safe for concurrent use.
type DeliveryReader struct {
	verifier Verifier
	spoken   vocabulary
}

// NewDeliveryReader returns a reader of deliveries that v verifies. The deployment has a
// vendor's header names and the words and forms of its JSON; nil differs in nothing.
// The lenient members are let through as those of [ReceiverConfig].
func NewDeliveryReader(v Verifier, d *deployment.Deployment, lenient ...string) (*DeliveryReader, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	spoken, err := vocabularyOf(d, lenient, nil)
	if err != nil {
		return nil, err
	}
	return &DeliveryReader{v.own(), spoken}, nil
}

// Headers returns the deployment's names of the headers of a delivery.
func (r *DeliveryReader) Headers() (signature, nonce, timestamp string) {
	return r.spoken.names.signature, r.spoken.names.nonce, r.spoken.names.timestamp
}

// Read verifies a delivery as [Verifier.Verify] does, and reads it as [ParseDelivery]
// does, both in the deployment's words.
func (r *DeliveryReader) Read(header http.Header, body io.Reader) (*Delivery, error) {
	size, _ := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	all, err := inScratch(func(dst []byte) ([]byte, error) {
		return r.verifier.verify(dst, header, r.spoken.names, body, size)
	})
	if err != nil {
		return nil, err
	}
	return r.spoken.read(context.Background(), all), nil
}

// vocabulary holds a deployment's words for deliveries, and what is let through of them.
type vocabulary struct {
	words    *dialect.Operation
	names    headerNames
	lenience *transport.Lenience
}

// spokenIn holds a deployment's words against the documentation and makes them ready.
func spokenIn(d *deployment.Deployment) (*dialect.Service, error) {
	if err := transport.ValidateDeployment(d, service); err != nil {
		return nil, err
	}
	return dialect.Words(d, service)
}

func vocabularyOf(d *deployment.Deployment, lenient []string, o observe.Observer) (vocabulary, error) {
	spoken, err := spokenIn(d)
	if err != nil {
		return vocabulary{}, err
	}
	lenience, err := transport.NewLenience(service, lenient, o)
	return vocabulary{spoken.Plain(), liveNames(spoken), lenience}, err
}

// read makes a delivery of a body in a deployment's words. A number that would have
// to be rounded is a reason not to understand it, not to lose it.
func (v vocabulary) read(ctx context.Context, body []byte) *Delivery {
	neutral, err := v.words.ToNeutral(body, "err")
	d := newDelivery(body, neutral, v.lenience.Waiving(ctx, "Delivery", ""))
	if err != nil {
		d.DecodeErr, d.Ledger, d.EVM = fmt.Errorf("%w: %w", walletfi.ErrDecode, err), nil, nil
	}
	return d
}
