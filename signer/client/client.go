// Package client speaks to a signer. Its [Client] is a signing.SetSigner, which a wallet uses
// as its Signer:
//
//	key, err := client.Dial(ctx, "/run/walletfi/signer.sock", "")
//	if err != nil {
//		return err
//	}
//	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, ...})
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// Client asks a signer for the signatures of one owner. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	key   signing.PublicKey
	name  string
	grant string // under which it asks
}

var _ signing.SetSigner = (*Client)(nil)

// ErrBytes is the error of [Client.Sign]: a signer judges transactions and signs no bytes.
var ErrBytes = errors.New("signer/client: a signer signs no bytes: use it as a signing.SetSigner")

// maxAnswer bounds an answer's body.
const maxAnswer = 4 << 20

// Connect returns a client of the signer at a Unix socket, without an owner: for an admin. It
// does not speak to the signer yet.
func Connect(socket string) *Client {
	return connect(func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "unix", socket) })
}

func connect(dial func(context.Context) (net.Conn, error)) *Client {
	return &Client{http: &http.Client{Transport: &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		MaxIdleConnsPerHost: 4,
	}}}
}

// DialTLS is Dial of a signer at a TCP address. cfg has the client's certificate, by which the
// policy knows it, and in RootCAs who issues the signer's.
func DialTLS(ctx context.Context, address string, cfg *tls.Config, owner string) (*Client, error) {
	dialer := &tls.Dialer{Config: cfg}
	c := connect(func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", address) })
	return c.of(ctx, owner)
}

// Dial asks the signer at a Unix socket for its owners, and returns the client of the one
// with a name. An empty name takes the only one.
func Dial(ctx context.Context, socket, owner string) (*Client, error) {
	return Connect(socket).of(ctx, owner)
}

func (c *Client) of(ctx context.Context, owner string) (*Client, error) {
	var owners []protocol.Owner
	if err := c.call(ctx, http.MethodGet, protocol.PathOwners, nil, &owners); err != nil {
		return nil, err
	}
	for _, o := range owners {
		if o.Name != owner && (owner != "" || len(owners) > 1) {
			continue
		}
		key, err := signing.ParsePublicKey(o.Key)
		c.key, c.name = key, o.Name
		return c, err
	}
	return nil, fmt.Errorf("signer/client: the signer has no owner %q for this user, it has %d", owner, len(owners))
}

// MakeOwner has the signer make an owner under a template of its policy, and returns the
// client of it, which shares c's connections. The same name answers the same owner again.
func (c *Client) MakeOwner(ctx context.Context, template, name string) (*Client, error) {
	var made protocol.Owner
	body := protocol.NewOwner{Template: template, Name: name}
	if err := c.call(ctx, http.MethodPost, protocol.PathOwners, body, &made); err != nil {
		return nil, err
	}
	key, err := signing.ParsePublicKey(made.Key)
	if err != nil || made.Name != name {
		return nil, fmt.Errorf("signer/client: %w: the answer is not of owner %q", walletfi.ErrDecode, name)
	}
	return c.Of(made.Name, key), nil
}

// Of returns the client of an owner whose name and key are known, without asking: the signer
// refuses what is asked for a key that it does not hold. It shares c's connections.
func (c *Client) Of(name string, key signing.PublicKey) *Client {
	return &Client{http: c.http, key: key, name: name}
}

// PublicKey is the owner's.
func (c *Client) PublicKey() signing.PublicKey { return c.key }

// Owner is the owner's name in the signer's policy.
func (c *Client) Owner() string { return c.name }

// Close ends the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Sign refuses: see ErrBytes.
func (c *Client) Sign(context.Context, []byte) (signing.Signature, error) {
	return signing.Signature{}, ErrBytes
}

// SignSet asks for the signatures of a set. The error is a *signing.SetRefusal if the signer
// refuses; after any other error it may have counted and signed the set.
func (c *Client) SignSet(ctx context.Context, r signing.SetRequest) (signing.SetSignatures, error) {
	var answer struct {
		Signatures []signing.Signature `json:"signatures"`
	}
	r.Grant = cmp.Or(r.Grant, c.grant)
	err := c.call(ctx, http.MethodPost, protocol.PathSign, protocol.Request(r), &answer)
	return signing.SetSignatures{Signatures: answer.Signatures}, err
}

// Judge asks what SignSet would do. The answer is the decision as JSON: its messages, with
// what each would count. Nothing is signed or counted.
func (c *Client) Judge(ctx context.Context, r signing.SetRequest) (decision json.RawMessage, err error) {
	err = c.call(ctx, http.MethodPost, protocol.PathJudge, protocol.Request(r), &decision)
	return decision, err
}

// AskGrant asks the policy's approvers to let a set be signed that is more than may be without
// them. Once they have, SignSet takes such a set with SetRequest.Grant set to the grant's ID, also if
// it was built again: see Under. most are amounts beyond what the set takes now.
func (c *Client) AskGrant(
	ctx context.Context, r signing.SetRequest, reason string, most ...grant.Amount,
) (g protocol.Grant, err error) {
	body := protocol.NewGrant{Request: protocol.Request(r), Reason: reason, Most: most}
	err = c.call(ctx, http.MethodPost, protocol.PathGrants, body, &g)
	return g, err
}

// Under returns a client of the same owner that asks under a grant. A wallet takes it for one payment
// as its ExecuteOptions.Signer. It shares c's connections.
func (c *Client) Under(grant string) *Client {
	under := *c
	under.grant = grant
	return &under
}

// Grants lists the grants that this client has asked for and that have not expired; those of all
// clients for an admin.
func (c *Client) Grants(ctx context.Context) (all []protocol.Grant, err error) {
	err = c.call(ctx, http.MethodGet, protocol.PathGrants, nil, &all)
	return all, err
}

// Decide hands in what an approver has signed: see package grant.
func (c *Client) Decide(ctx context.Context, id, signature string) (g protocol.Grant, err error) {
	err = c.call(ctx, http.MethodPost, protocol.PathVerdict, protocol.Verdict{ID: id, Signature: signature}, &g)
	return g, err
}

// Get asks one of the protocol's GETs, such as protocol.PathHealth.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.call(ctx, http.MethodGet, path, nil, into)
}

// Log reads the log in order, a page at a time, and gives each entry to f. It is for admins.
func (c *Client) Log(ctx context.Context, f func(entry json.RawMessage) error) error {
	for after := int64(0); ; {
		var page []json.RawMessage
		if err := c.Get(ctx, fmt.Sprintf("%s?after=%d", protocol.PathLog, after), &page); err != nil || len(page) == 0 {
			return err
		}
		for _, entry := range page {
			var place struct {
				Seq int64 `json:"seq"`
			}
			if err := json.Unmarshal(entry, &place); err != nil || place.Seq <= after {
				return fmt.Errorf("signer/client: %w: entry %d follows on %d", walletfi.ErrDecode, place.Seq, after)
			}
			after = place.Seq
			if err := f(entry); err != nil {
				return err
			}
		}
	}
}

// Backup writes a copy of the signer's store to w: see signer.Signer.Backup. It is for admins. After an
// error what was written is no copy.
func (c *Client) Backup(ctx context.Context, w io.Writer) error {
	answer, err := c.do(ctx, http.MethodGet, protocol.PathBackup, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return read(answer, nil)
	}
	if _, err := io.Copy(w, answer.Body); err != nil {
		return fmt.Errorf("signer/client: the copy: %w", err)
	}
	return nil
}

// Freeze has the signer sign nothing, or in mode "exit" only what goes to the rescue
// addresses. The answer lists what can still land. It is for admins.
func (c *Client) Freeze(ctx context.Context, mode, reason string) (live json.RawMessage, err error) {
	err = c.call(ctx, http.MethodPost, protocol.PathFreeze, protocol.Switch{Mode: mode, Reason: reason}, &live)
	return live, err
}

// Beat says that an admin is there: the signer's policy may want that now and then.
func (c *Client) Beat(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, protocol.PathBeat, nil, nil)
}

// Thaw has the signer sign again. It is for admins.
func (c *Client) Thaw(ctx context.Context, reason string) error {
	return c.call(ctx, http.MethodPost, protocol.PathThaw, protocol.Switch{Reason: reason}, nil)
}

func (c *Client) call(ctx context.Context, method, path string, body, into any) error {
	answer, err := c.do(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return read(answer, into)
}

func (c *Client) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://signer"+path, text)
	if err != nil {
		return nil, err
	}
	req.Header.Set(protocol.Header, protocol.Version)
	answer, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("signer/client: %w: %w", walletfi.ErrUnavailable, err)
	}
	return answer, nil
}

// read reads an answer, or the refusal that it is.
func read(answer *http.Response, into any) error {
	b, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("signer/client: %w: %w", walletfi.ErrUnavailable, err)
	}
	if answer.StatusCode != http.StatusOK {
		var r protocol.Refusal
		if err := json.Unmarshal(b, &r); err != nil || r.Code == "" {
			return fmt.Errorf("signer/client: %w: status %d", walletfi.ErrDecode, answer.StatusCode)
		}
		return &signing.SetRefusal{Code: r.Code, Text: r.Text, Waits: r.Waits, RetryAt: r.RetryAt}
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("signer/client: %w: %w", walletfi.ErrDecode, err)
	}
	return nil
}
