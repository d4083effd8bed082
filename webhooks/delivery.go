package webhooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Delivery is a notification whose signature was verified. At most one of Ledger
// and EVM is set: neither if the body is an array or of an unknown form, such as
// that of a UTXO chain, or of events that the service has decoded.
type Delivery struct {
	WebhookID string
	Network   string
	Timestamp walletfi.Time // of the payload, zero if it has none
	Ledger    *LedgerPayload
	EVM       *EVMPayload
	Raw       walletfi.Document // the body as it came, in the service's words

	// DecodeErr is set if the body is neither an object nor an array of JSON, or looks like
	// a known payload but could not be decoded: it is a walletfi.ErrDecode. A handler that
	// uses only the payloads would lose such an event. If only some of the transactions
	// could not be read, it is a [*walletfi.UnreadError], and the payload has the others. If the
	// body says outside of them that it failed or was undone, that is in DecodeErr too, and each
	// of them says that it failed.
	DecodeErr error
	// Waived are the members that Lenient in [ReceiverConfig] let through, and why, such as
	// "LedgerMeta.fee: missing", and those on which nothing hangs that are of another kind, out
	// of range or repeated. They have what could be read, else zero.
	Waived []string

	waive  func(wire.Breach) bool
	id     *identity
	name   string    // what the receiver and its Seen call it: its key, or one of this process
	until  time.Time // how long Seen must remember it
	marked bool      // the handler's own transaction commits it
}

// ParseDelivery reads a body that was verified without a [Receiver]. It refuses no
// body for its form, since the event would be lost: Raw has all of it. The
// delivery refers to body, which must not be changed afterwards.
func ParseDelivery(body []byte) *Delivery { return newDelivery(body, body, nil) }

// Key identifies the delivery for deduplication: the webhook, the slot or block,
// and the hash of the body, separated by slashes, or what Key in [ReceiverConfig]
// returned.
func (d *Delivery) Key() string {
	if d.id == nil {
		return ""
	}
	return d.id.key()
}

// newDelivery makes a delivery of a body as it came and the same body in neutral
// words. It lets the breaches through which waive does.
func newDelivery(body, neutral []byte, waive func(wire.Breach) bool) *Delivery {
	d := &Delivery{Raw: body}
	d.waive = func(b wire.Breach) bool {
		isLet := waive != nil && waive(b) // which tells the observer
		return (isLet || b.Free) && d.waived(b)
	}
	place, ok := d.readGuessed(neutral)
	if !ok {
		place = d.readAny(neutral)
	}
	d.holdTop(neutral)
	d.id = &identity{place: d.WebhookID + "/" + place + "/", body: body}
	return d
}

// waived notes what was let through.
func (d *Delivery) waived(b wire.Breach) bool {
	if what := b.Name() + ": " + string(b.What); !slices.Contains(d.Waived, what) {
		d.Waived = append(d.Waived, what)
	}
	return true
}

// sniffed is how much of a body's ends is looked at to guess the chain: the members
// besides the transactions. A wrong guess costs time alone.
const sniffed = 512

// readGuessed reads the body of a known chain in one pass and returns its place on the
// chain. It may decline any body; readAny then reads it.
func (d *Delivery) readGuessed(body []byte) (place string, ok bool) {
	slot := []byte(`"slot"`)
	if bytes.Contains(body[:min(len(body), sniffed)], slot) || bytes.Contains(body[max(0, len(body)-sniffed):], slot) {
		var p LedgerPayload
		if wire.UnmarshalWaiving(body, &p, d.waive) != nil || p.Slot == 0 { // 0 may be nothing
			return "", false
		}
		d.setLedger(&p, body)
		d.Timestamp = p.Timestamp
		return p.place(), true
	}
	var p struct {
		EVMPayload
		Slot walletfi.Document `json:"slot"` // the ledger chain's
	}
	isOdd := wire.UnmarshalWaiving(body, &p, d.waive) != nil || given(p.Slot)
	if isOdd || p.BlockHash == "" && p.BlockNumber == 0 {
		return "", false
	}
	d.setEVM(&p.EVMPayload, body)
	return p.place(), true
}

func (d *Delivery) setEVM(p *EVMPayload, body []byte) {
	d.EVM, d.WebhookID, d.Network, d.Timestamp = p, p.WebhookID, p.Network, p.Timestamp
	if repeats(p.Transactions, func(t *EVMTransaction) string { return t.Hash }) {
		d.sayRepeats(body, wire.Breach{Struct: reflect.TypeFor[EVMTransaction](), Member: "hash"})
	}
}

// envelope has the members that tell the payloads apart.
type envelope struct {
	WebhookID   string            `json:"webhookId" wire:"decides,optional"`
	Network     string            `json:"network" wire:"decides,optional"`
	Timestamp   walletfi.Time     `json:"timestamp" wire:"free"`
	Slot        walletfi.Document `json:"slot"`
	BlockNumber walletfi.Document `json:"blockNumber"`
	BlockHash   walletfi.Document `json:"blockHash"`
	// Transactions tell the ledger chain's by their meta, and the EVM's by their hash.
	Transactions walletfi.Document `json:"transactions"`
}

// readAny reads any body and returns its place on the chain.
func (d *Delivery) readAny(body []byte) (place string) {
	switch trimmed := bytes.TrimLeft(body, " \t\r\n"); {
	case bytes.HasPrefix(trimmed, []byte("[")):
		d.DecodeErr = wire.Unmarshal(body, new([]walletfi.Document))
		return ""
	case !bytes.HasPrefix(trimmed, []byte("{")):
		d.DecodeErr = errNotPayload
		return ""
	}
	var e envelope
	if d.DecodeErr = wire.Unmarshal(body, &e); d.DecodeErr != nil && !wire.IsJSON(d.DecodeErr) {
		return ""
	}
	d.WebhookID, d.Network, d.Timestamp = e.WebhookID, e.Network, e.Timestamp
	isPlaced := given(e.BlockHash) || given(e.BlockNumber)
	switch all := e.Transactions; {
	case (given(e.Slot) || !isPlaced && bytes.Contains(all, []byte(`"meta"`))) && mayBe(all, ledgerMembers):
		return d.readLedger(body)
	case (isPlaced || bytes.Contains(all, []byte(`"hash"`))) && mayBe(all, evmMembers):
		return d.readEVM(body)
	}
	return ""
}

// The members that every transaction of a chain has.
var (
	ledgerMembers = []string{"signature", "meta", "transaction"}
	evmMembers    = []string{"hash", "from", "value", "logs"}
)

// mayBe reports whether a list of transactions may be of a chain, all of whose transactions have
// the given members: one of them has all but one. A list without any may be of any chain.
func mayBe(transactions walletfi.Document, members []string) bool {
	var list []map[string]json.RawMessage
	_ = json.Unmarshal(transactions, &list) // what is no object is left out
	isEmpty := true
	for _, tx := range list {
		has := 0
		for name := range tx {
			if slices.ContainsFunc(members, func(member string) bool { return strings.EqualFold(member, name) }) {
				has++
			}
		}
		if has >= len(members)-1 {
			return true
		}
		isEmpty = isEmpty && len(tx) == 0
	}
	return isEmpty
}

func (d *Delivery) readLedger(body []byte) (place string) {
	var p LedgerPayload
	if d.DecodeErr = wire.UnmarshalWaiving(body, &p, d.waive); wire.Usable(d.DecodeErr) {
		d.setLedger(&p, body)
	} else if p.Slot == 0 {
		return ""
	}
	return p.place()
}

func (d *Delivery) setLedger(p *LedgerPayload, body []byte) {
	d.Ledger, d.WebhookID, d.Network = p, p.WebhookID, p.Network
	if repeats(p.Transactions, func(t *LedgerTransaction) string { return t.Signature }) {
		d.sayRepeats(body, wire.Breach{Struct: reflect.TypeFor[LedgerTransaction](), Member: "signature"})
	}
}

func (p *LedgerPayload) place() string { return strconv.FormatUint(uint64(p.Slot), 10) }

func (d *Delivery) readEVM(body []byte) (place string) {
	var p EVMPayload
	if d.DecodeErr = wire.UnmarshalWaiving(body, &p, d.waive); wire.Usable(d.DecodeErr) {
		d.setEVM(&p, body)
	} else if p.BlockHash == "" && p.BlockNumber == 0 {
		return ""
	}
	return p.place()
}

// place returns the block's hash, or its number if there is no hash.
func (p *EVMPayload) place() string {
	if p.BlockHash != "" {
		return p.BlockHash
	}
	return strconv.FormatUint(uint64(p.BlockNumber), 10)
}

var (
	errNotPayload = fmt.Errorf("%w: a delivery begins with { or [", walletfi.ErrDecode)
	errNotJSON    = fmt.Errorf("%w: the body is not one JSON document", walletfi.ErrDecode)
)

// given reports whether a member has a value.
func given(member walletfi.Document) bool {
	return len(member) > 0 && string(member) != "null" && string(member) != `""`
}

// Decode reads the whole body into v as [walletfi.Document.Decode] does. The error is a
// walletfi.ErrDecode if the body is not one JSON document, or not of v's type.
func (d *Delivery) Decode(v any) error {
	if !json.Valid(d.Raw) || !utf8.Valid(d.Raw) {
		return errNotJSON
	}
	if err := d.Raw.Decode(v); err != nil {
		return fmt.Errorf("%w: %w", walletfi.ErrDecode, err)
	}
	return nil
}
