package onchaindata

import (
	"context"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// TokensRequest says what to include with several tokens.
type TokensRequest struct {
	Include []TokenInclude `url:"include,comma,omitempty"` // fills Token.TopPools
}

// TokenBatch is the answer to a request for several tokens by address. The shape
// of the answer is not documented: the tokens are decoded as a single token is, and
// each keeps its Raw.
type TokenBatch struct {
	Tokens   []Token  // in the order of the addresses
	NotFound []string // addresses without a token in an answer
	Unasked  []Token  // tokens at addresses that were not requested: the error is walletfi.ErrMismatch
}

// parallelParts is how many parts of a batch run at a time.
const parallelParts = 4

// GetTokens returns any number of a network's tokens by address, in the order of
// the addresses. It sends requests for 30 ([TierDemo]) or 50 ([TierPro]) tokens
// each. If some of them fail, it returns the records of the others and a
// [*walletfi.PartialError]. Tokens change every [PoolRefresh].
//
// GET /networks/{network}/tokens/multi/{addresses}.
func (c *Client) GetTokens(
	ctx context.Context, network string, addresses []string, req TokensRequest, opts ...walletfi.CallOption,
) (*TokenBatch, error) {
	if err := check.All(checkAddresses(addresses), checkTokenInclude(req.Include)); err != nil {
		return nil, err
	}
	size, parallel := c.made().tier.tokens(), parallelParts
	if callopt.Of(opts).Capture != nil {
		parallel = 1 // a captured raw response has room for one answer
	}
	unique := distinct(addresses)
	parts, err := paging.Split(ctx, unique, size, parallel,
		callopt.Of(opts).Progress, func(ctx context.Context, part []string) (*tokenList, error) {
			return c.getTokens(ctx, network, part, req, opts)
		})
	if err != nil && len(parts) == 1 && parts[0] == nil {
		return nil, err
	}
	var tokens []Token
	answered := map[string]bool{}
	for i, part := range slices.Collect(slices.Chunk(unique, size)) {
		if parts[i] == nil {
			continue
		}
		tokens = append(tokens, parts[i].tokens...)
		if parts[i].partial {
			continue // one of the others may be in a record that could not be read
		}
		for _, address := range part {
			answered[sameAddress(address)] = true
		}
	}
	batch := &TokenBatch{}
	addressOf := func(t *Token) string { return t.Address }
	batch.Tokens, batch.NotFound, batch.Unasked = arrange(addresses, tokens, addressOf)
	batch.NotFound = slices.DeleteFunc(batch.NotFound, func(a string) bool { return !answered[sameAddress(a)] })
	return batch, held(err, addresses, batch.Unasked, addressOf)
}

// getTokens sends one request.
func (c *Client) getTokens(
	ctx context.Context, network string, addresses []string, req TokensRequest, opts []walletfi.CallOption,
) (*tokenList, error) {
	return transport.Do[tokenList](ctx, c.made().t, transport.Call{
		Op: "GetTokens", Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   transport.Path("/networks/{network}/tokens/multi/{addresses}", network, addresses),
		Query:  req,
	}, opts)
}
