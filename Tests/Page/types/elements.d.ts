// The page's own elements, so that `h(tag)` knows what it makes.

interface HTMLElementTagNameMap {
    'tandem-flow': import('../../../Sources/TandemWeb/Page/kit/flow.js').Flow;
    'tandem-relative-time': import('../../../Sources/TandemWeb/Page/kit/text.js').RelativeTime;
    'tandem-virtual-list': import('../../../Sources/TandemWeb/Page/kit/virtual.js').VirtualList;
}
