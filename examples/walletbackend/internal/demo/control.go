package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Control is the sandbox's control port, which a sandbox in another process has
// too.
type Control struct {
	url    string
	token  walletfi.Secret
	client http.Client
}

// NewControl returns the control port at an address.
func NewControl(address string, token walletfi.Secret) *Control {
	return &Control{url: address, token: token, client: http.Client{Timeout: 10 * time.Second}}
}

// Attack makes every service answer a transaction that sends all of the owner's
// SOL to thief.
func (c *Control) Attack(ctx context.Context, thief string) error {
	return c.post(ctx, "/drain", map[string]any{"thief": thief})
}

// StopAttack makes the services honest again.
func (c *Control) StopAttack(ctx context.Context) error {
	return c.post(ctx, "/attack/stop", struct{}{})
}

// SetPrice moves a token's price, in millionths of a dollar.
func (c *Control) SetPrice(ctx context.Context, mint string, microUSD uint64) error {
	return c.post(ctx, "/market/set-price", map[string]any{"mint": mint, "microUsd": microUSD})
}

// Fund gives a wallet SOL, in lamports.
func (c *Control) Fund(ctx context.Context, wallet string, lamports uint64) error {
	return c.post(ctx, "/ledger/fund-wallet", map[string]any{"address": wallet, "lamports": lamports})
}

// FundToken gives a wallet tokens, in smallest units.
func (c *Control) FundToken(ctx context.Context, wallet, mint string, amount uint64) error {
	return c.post(ctx, "/ledger/fund-token", map[string]any{"wallet": wallet, "mint": mint, "amount": amount})
}

// OpenEmptyAccounts gives a wallet empty token accounts to close.
func (c *Control) OpenEmptyAccounts(ctx context.Context, wallet string, n int) error {
	return c.post(ctx, "/burnclose/open-empty-accounts", map[string]any{"wallet": wallet, "n": n})
}

// OneTimeCode returns the code that the smart account service sent to an email
// address.
func (c *Control) OneTimeCode(ctx context.Context, email string) (code string, err error) {
	var answer struct {
		Code string `json:"code"`
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		c.url+"/smartaccount/one-time-code?email="+url.QueryEscape(email), nil)
	if err != nil {
		return "", err
	}
	err = c.do(request, &answer)
	return answer.Code, err
}

func (c *Control) post(ctx context.Context, path string, arguments any) error {
	text, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return c.do(request, nil)
}

func (c *Control) do(request *http.Request, into any) error {
	request.Header.Set("Authorization", "Bearer "+c.token.Reveal())
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the sandbox's control %s: %s", request.URL.Path, response.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}
