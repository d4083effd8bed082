package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// GetHealth returns what the service says of its health, as it came: its form
// is not documented. That there is no error means that the service answers.
//
// GET /. It takes no key.
func (c *Client) GetHealth(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetHealth", "/", opts)
}

// GetOpenAPI returns the service's OpenAPI document, as it came.
//
// GET /openapi.json. It takes no key.
func (c *Client) GetOpenAPI(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetOpenAPI", "/openapi.json", opts)
}

// GetAPICatalog returns the service's catalogue of its interfaces, as it came.
//
// GET /.well-known/api-catalog. It takes no key.
func (c *Client) GetAPICatalog(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetAPICatalog", "/.well-known/api-catalog", opts)
}

// GetLLMsText returns the short guide for language models as plain text.
//
// GET /llms.txt. It takes no key.
func (c *Client) GetLLMsText(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsText", "/llms.txt", opts)
}

// GetLLMsMarkdown returns the short guide for language models as Markdown.
//
// GET /llms.md. It takes no key.
func (c *Client) GetLLMsMarkdown(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsMarkdown", "/llms.md", opts)
}

// GetLLMsFull returns the full guide for language models as plain text.
//
// GET /llms-full.txt. It takes no key.
func (c *Client) GetLLMsFull(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetLLMsFull", "/llms-full.txt", opts)
}

// GetDocs returns the service's documentation as Markdown.
//
// GET /DOCS.md. It takes no key.
func (c *Client) GetDocs(ctx context.Context, opts ...walletfi.CallOption) ([]byte, error) {
	return c.document(ctx, "GetDocs", "/DOCS.md", opts)
}

// document reads what is served without a key, be it JSON or text.
func (c *Client) document(ctx context.Context, op, path string, opts []walletfi.CallOption) ([]byte, error) {
	opts = append([]walletfi.CallOption{walletfi.WithHeader("Accept", "*/*")}, opts...)
	return transport.DoBytes(ctx, c.t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path(path), Public: true,
	}, opts)
}
