package transport

import (
	"maps"
	"net/url"
)

// setLiveTarget sets path and query where a deployment has them.
func (e *encoded) setLiveTarget(c *Client, call *Call, more url.Values) error {
	values, err := call.Path.named()
	if err != nil {
		return err
	}
	asked, err := e.queryOf(c, call, more)
	if err != nil {
		return err
	}
	if asked = maps.Clone(asked); asked == nil {
		asked = url.Values{}
	}
	e.method = e.operation.Method
	if e.page, err = e.operation.Page(values, asked, call.documented()); err != nil {
		return err
	}
	target, err := e.operation.Target(values, asked, e.page, escapeSegment)
	if err != nil {
		return err
	}
	e.url.RawQuery = target.Query.Encode()
	return e.setPath(c, target.Path)
}
