package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// GetHealth returns the service's health, unchanged: its shape is not
// documented. No error means that the service answers.
//
// GET /. It needs no key.
func (c *Client) GetHealth(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetHealth", "/", opts)
}

// GetOpenAPI returns the service's OpenAPI document, unchanged.
//
// GET /openapi.json. It needs no key.
func (c *Client) GetOpenAPI(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetOpenAPI", "/openapi.json", opts)
}

// GetAPICatalog returns the service's API catalogue, unchanged.
//
// GET /.well-known/api-catalog. It needs no key.
func (c *Client) GetAPICatalog(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetAPICatalog", "/.well-known/api-catalog", opts)
}

// GetLLMsText returns the short guide for language models as plain text.
//
// GET /llms.txt. It needs no key.
func (c *Client) GetLLMsText(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsText", "/llms.txt", opts)
}

// GetLLMsMarkdown returns the short guide for language models as Markdown.
//
// GET /llms.md. It needs no key.
func (c *Client) GetLLMsMarkdown(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsMarkdown", "/llms.md", opts)
}

// GetLLMsFull returns the full guide for language models as plain text.
//
// GET /llms-full.txt. It needs no key.
func (c *Client) GetLLMsFull(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsFull", "/llms-full.txt", opts)
}

// GetDocs returns the service's documentation as Markdown.
//
// GET /DOCS.md. It needs no key.
func (c *Client) GetDocs(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetDocs", "/DOCS.md", opts)
}

// document reads a JSON or text document that needs no key.
func (c *Client) document(ctx context.Context, op, path string, opts []walletfi.CallOption) ([]byte, error) {
	opts = append([]walletfi.CallOption{walletfi.WithHeader("Accept", "*/*")}, opts...)
	return transport.DoBytes(ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Text("a document, or the state of health in a form that is not documented"),
		Path:   transport.Path(path), Public: true,
	}, opts)
}
