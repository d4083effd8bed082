package keyring

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/walletfi/walletfi-go/signing"
)

// Remote asks the signer's process, which Server serves on a Unix socket. This
// process never sees a key.
type Remote struct {
	client *http.Client
}

// NewRemote returns the keys behind a Unix socket.
func NewRemote(socket string) *Remote {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	return &Remote{&http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DialContext: dial}}}
}

// Create implements Keys.
func (r *Remote) Create(ctx context.Context, userID string) (signing.PublicKey, error) {
	var a addressAnswer
	err := r.call(ctx, http.MethodPost, userID, "", nil, &a)
	return a.Address, err
}

// Signer implements Keys.
func (r *Remote) Signer(ctx context.Context, userID string, approved Approval) (signing.Signer, error) {
	var a addressAnswer
	if err := r.call(ctx, http.MethodGet, userID, "", nil, &a); err != nil {
		return nil, err
	}
	return remoteSigner{r, userID, a.Address, approved}, nil
}

// remoteSigner is the signer of one user.
type remoteSigner struct {
	remote   *Remote
	userID   string
	address  signing.PublicKey
	approved Approval
}

func (s remoteSigner) PublicKey() signing.PublicKey { return s.address }

// Sign implements signing.Signer. A signature that is not the user's over message is
// an error, whatever the other process answers.
func (s remoteSigner) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	var a signatureAnswer
	err := s.remote.call(ctx, http.MethodPost, s.userID, "/signatures", signRequest{message, s.approved}, &a)
	if err != nil {
		return signing.Signature{}, err
	}
	if !a.Signature.Verify(s.address, message) {
		return signing.Signature{}, fmt.Errorf("the signer's answer is not a signature of %s", s.address)
	}
	return a.Signature, nil
}

func (r *Remote) call(ctx context.Context, method, userID, route string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://signer/keys/"+url.PathEscape(userID)+route,
		bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := r.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusForbidden {
		var refused refusalAnswer
		if err := json.NewDecoder(response.Body).Decode(&refused); err != nil {
			return fmt.Errorf("the signer refuses, and does not say why: %w", err)
		}
		return fmt.Errorf("the signer refuses: %s", refused.Refusal)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the signer answered %s", response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}
