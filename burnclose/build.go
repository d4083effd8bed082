package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// single is the request of a burn or of the close of one account.
type single interface {
	problem() error
	intent(reclaimed Reclaimed) walletfi.Intent
}

// build runs a builder of one transaction.
func build(
	ctx context.Context, c *Client, op string, path transport.Target, req single, opts []walletfi.CallOption,
) (*Transaction, error) {
	built, err := transport.Do[Transaction](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("serializedTransaction"),
		Path:   path, Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent(built.Reclaimed)
	return built, nil
}

// buildInstructions runs a builder of the instructions of one transaction.
func buildInstructions(
	ctx context.Context, c *Client, op string, path transport.Target, req single, opts []walletfi.CallOption,
) (*Instructions, error) {
	built, err := transport.Do[Instructions](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Lists("instructions"),
		Path:   path, Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.Intent = req.intent(built.Reclaimed)
	return built, nil
}

// preview asks what a request would do.
func preview[T any](
	ctx context.Context, c *Client, op string, path transport.Target, req interface{ problem() error },
	held func(any) error, opts []walletfi.CallOption,
) (*T, error) {
	return transport.Do[T](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Open(transport.NoNames).ByDecoder(), Echo: held,
		Path: path, Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
}
