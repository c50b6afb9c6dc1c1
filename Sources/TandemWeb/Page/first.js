// Before anything is drawn: the colours that the person chose, so that the page does not begin in others. Not a module, which would wait.
(() => {
    const theme = localStorage.getItem('tandem.theme');
    if (theme) document.documentElement.dataset.theme = theme;
})();
